"""Units of work and the jobs they belong to: plain data, of which any machine makes the same result."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from typing import Any, ClassVar

from plies.errors import PliesError
from plies.work.code import Code, Loader

KINDS = {
    "book": "plies.engine.book_units:Positions",
    "games": "plies.arena.units:Games",
    "network games": "plies.learn.network_units:NetworkGames",
    "numbers": "plies.reproduce.units:Numbers",
    "samples": "plies.tune.samples:Samples",
    "self-play": "plies.learn.units:SelfPlay",
}
"""The classes of tasks, by the words for them in a job."""


def canonical(data: Any) -> str:
    """Data as JSON, always in the same bytes."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


@dataclass(frozen=True)
class Unit:
    """A piece of work that is the same on any machine, by the job and what it says itself."""

    number: int
    """Its place in the plan, from 0 on; shards share units out by it."""
    data: Any = None
    """What there is to do, as JSON."""

    @cached_property
    def key(self) -> str:
        """What tells it from other units of its job."""
        return hashlib.sha256(canonical([self.number, self.data]).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Done:
    """What came out of a unit."""

    result: Any
    """As JSON: the same wherever it is done."""
    measured: Any = None
    """What the machine adds that is not: how long it took."""


class Task:
    """Does units of a kind. It is made again elsewhere from its facts, and then does them alike."""

    kind: ClassVar[str]
    noun: ClassVar[str] = "unit"
    """What a unit is called in an error."""

    def do(self, unit: Unit) -> Done:
        """Do a unit."""
        raise NotImplementedError

    def facts(self, code: Code) -> dict[str, Any]:
        """What another process needs to make this again, as JSON.

        What says how much there is to do, and not what comes out of a unit, is under "extent": with more of
        it, the units that are done stay valid.
        """
        raise NotImplementedError

    @classmethod
    def made(cls, facts: dict[str, Any], loader: Loader) -> Task:
        """The task of these facts, compiled and ready."""
        raise NotImplementedError


@dataclass(frozen=True)
class Job:
    """What all units of a task have in common, to be sent to other processes and machines."""

    kind: str
    facts: dict[str, Any]
    files: dict[str, str] = field(default_factory=dict)
    """The source text of the user's own files, by name: it travels with the job."""
    places: dict[str, str] = field(default_factory=dict)
    """Where they are on the machine of the driver, by name."""
    plies: str = field(default_factory=lambda: version("plies"))

    @classmethod
    def of(cls, task: Task) -> Job:
        """The job of a task."""
        code = Code()
        facts = task.facts(code)
        return cls(task.kind, json.loads(canonical(facts)), code.sources.files, code.sources.places)

    @property
    def text(self) -> str:
        """The job as JSON."""
        return canonical({one.name: getattr(self, one.name) for one in fields(self)})

    @cached_property
    def checksum(self) -> str:
        """Of the text, which must arrive as it was sent."""
        return _digest(self.text)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What tells it from other jobs, whose results must not be mixed: facts, without their extent, the
        version of Plies, and digests of the user's own files."""
        digests = {name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in self.files.items()}
        facts = {name: fact for name, fact in self.facts.items() if name != "extent"}
        return {**facts, "Plies": self.plies, **digests}

    @cached_property
    def identity(self) -> str:
        """A digest of its kind and settings."""
        return hashlib.sha256(canonical([self.kind, self.settings]).encode()).hexdigest()

    @classmethod
    def read(cls, text: str, checksum: str) -> Job:
        """The job of a text, which must have arrived as it was sent."""
        if _digest(text) != checksum:
            raise PliesError("a job has not arrived as it was sent: its checksum differs")
        data = json.loads(text)
        if data["plies"] != version("plies"):
            raise PliesError(
                f"this machine has Plies {version('plies')}, and the job is of Plies {data['plies']}: "
                "install the same version everywhere"
            )
        return cls(**data)

    def task(self) -> Task:
        """Make the task again."""
        module, _, name = KINDS[self.kind].partition(":")
        cls: type[Task] = getattr(import_module(module), name)
        return cls.made(self.facts, Loader(self.files, self.places))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
