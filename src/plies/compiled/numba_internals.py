"""All that Plies uses of Numba beyond its public interface, so that a new version breaks in one place; but
for its code generator, in `numba_codegen.py`.

Public are `numba`, `numba.types`, `numba.extending` and `numba.core.errors`; tests/test_numba_internals.py
names the rest. Nothing here changes Numba for others: what differs is a subclass or a pass of our own.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from numba import types
from numba.core import cgutils, errors, ir
from numba.core.caching import NullCache
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.imputils import lower_getattr_generic
from numba.core.ir_utils import get_definition, guard
from numba.core.postproc import PostProcessor
from numba.core.serialize import NumbaPickler
from numba.core.typed_passes import NativeLowering, NopythonRewrites, NopythonTypeInference
from numba.core.typeinfer import TypeInferer
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    ConcreteTemplate,
    infer_getattr,
    infer_global,
    signature,
)
from numba.core.typing.typeof import Purpose
from numba.core.untyped_passes import DeadBranchPrune, InlineClosureLikes, RewriteSemanticConstants
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import models, register_model
from numba.np.arrayobj import populate_array

from plies.compiled.call_types import call_type
from plies.compiled.numba_codegen import TunedLowering

__all__ = [
    "AbstractTemplate",
    "AttributeTemplate",
    "CodeCache",
    "CompilerBase",
    "ConcreteTemplate",
    "FunctionPass",
    "PassManager",
    "Purpose",
    "Unsettled",
    "cgutils",
    "get_definition",
    "guard",
    "infer_getattr",
    "infer_global",
    "ir",
    "lower_getattr_generic",
    "nopython_passes",
    "populate_array",
    "register_pass",
    "settle_branch",
    "settling_late",
    "signature",
    "tuple_setitem",
    "use_cache",
    "without",
]


# -- Types of recursive functions.


class Unsettled(Exception):
    """Raised if the return type of a recursive function is not the one first inferred."""


_settling_late: ContextVar[bool] = ContextVar("settling_late", default=False)


@contextmanager
def settling_late() -> Iterator[None]:
    """Infer the return types of recursive functions in Numba's own way, which is slower and always right."""
    token = _settling_late.set(True)
    try:
        yield
    finally:
        _settling_late.reset(token)


class SettlingInferer(TypeInferer):  # type: ignore[misc]
    """Infers the return type of a recursive function once; `Unsettled` if it changes later.

    To type a recursive call, Numba types the whole function once more, without such calls, at every call and
    in every round. The answer is nearly always the same, and what is annotated as the function's result.
    """

    settled: Any = None

    def return_types_from_partial(self) -> Any:
        if self.settled is None:
            annotated = self.func_id.func.__annotations__.get("return")
            self.settled = ANNOTATED.get(annotated) or super().return_types_from_partial()
        return self.settled

    def resolve_call(self, function: Any, args: Any, keywords: Any) -> Any:
        if not keywords and isinstance(function, types.Dispatcher):
            # Not a form of its own for each constant that is passed, unless it does not compile otherwise.
            with suppress(errors.TypingError, errors.ForceLiteralArg):
                return call_type(function, self.context, tuple(map(types.unliteral, args)))
        if not keywords and isinstance(function, types.Function):
            return call_type(function, self.context, tuple(args))
        return super().resolve_call(function, args, keywords)

    def get_return_type(self, typemap: Any) -> Any:
        found = super().get_return_type(typemap)
        if self.settled is not None and self.settled != found:
            raise Unsettled
        return found


ANNOTATED = {"int": types.int64, "float": types.float64, "bool": types.boolean, "None": types.none}
"""The types of results that functions are annotated with."""


@register_pass(mutates_CFG=True, analysis_only=False)
class SettlingTypeInference(NopythonTypeInference):  # type: ignore[misc]
    """Type inference as Numba's, by a `SettlingInferer`."""

    _name = "plies_type_inference"

    def run_pass(self, state: Any) -> bool:
        if _settling_late.get():
            return bool(super().run_pass(state))
        warnings = errors.WarningsFixer(errors.NumbaWarning)  # type: ignore[attr-defined]
        inferer = SettlingInferer(state.typingctx, state.func_ir, warnings)
        frame = state.typingctx.callstack.register(
            state.targetctx.target, inferer, state.func_ir.func_id, state.args
        )
        with frame, warnings:
            for index, (name, typ) in enumerate(zip(state.func_ir.arg_names, state.args, strict=True)):
                inferer.seed_argument(name, index, typ)
            if state.return_type is not None:
                inferer.seed_return(state.return_type)
            for name, typ in state.locals.items():
                inferer.seed_type(name, typ)
            inferer.build_constraint()
            state.typing_errors = inferer.propagate(raise_errors=True)
            state.typemap, state.return_type, state.calltypes = inferer.unify(raise_errors=True)
        if isinstance(state.return_type, types.Function | types.Phantom):
            raise errors.NumbaTypeError(
                f"Can't return function object ({state.return_type}) in nopython mode"
            )
        return True


# -- Records.


class RecordWithout(types.Record):  # type: ignore[misc]
    """A record of which some fields are always 0, so that what they switch on is not compiled."""

    def __init__(self, record: types.Record, off: frozenset[str]) -> None:
        self.__dict__.update(vars(record))
        self.name = f"{record.name} without {', '.join(sorted(off))}"
        self.facts = dict.fromkeys(off, False)
        """By name: whether the field is true."""


register_model(RecordWithout)(models.RecordModel)


def without(typ: Any, off: frozenset[str]) -> Any:
    """The type of an argument; of a record, without the fields that are always 0."""
    always = off & typ.fields.keys() if isinstance(typ, types.Record) else frozenset()
    return RecordWithout(typ, always) if always else typ


# -- The pipeline.


@register_pass(mutates_CFG=True, analysis_only=False)
class InlineClosuresIfAny(InlineClosureLikes):  # type: ignore[misc]
    """Numba's pass for functions within functions and comprehensions, where there are any."""

    _name = "plies_inline_closures"

    def run_pass(self, state: Any) -> bool:
        blocks = state.func_ir.blocks.values()
        if any(one.op == "make_function" for block in blocks for one in block.find_exprs()):
            return bool(super().run_pass(state))
        return False


@register_pass(mutates_CFG=True, analysis_only=False)
class RewriteArraysIfAny(NopythonRewrites):  # type: ignore[misc]
    """Numba's pass for expressions of arrays, where there are any."""

    _name = "plies_rewrite_arrays"

    def run_pass(self, state: Any) -> bool:
        found = (signature for signature in state.calltypes.values() if signature is not None)
        if any(isinstance(one.return_type, types.Array) for one in found):
            return bool(super().run_pass(state))
        return False


class Passes(PassManager):  # type: ignore[misc]
    """Runs passes as Numba does, but without checks of its own code, events and timers after each of them.

    These took a sixth of a kernel's compile time.
    """

    def _runPass(self, index: int, one: Any, state: Any) -> None:  # noqa: N802 (Numba's name)
        one.analysis = self._analysis
        blocks = len(state.func_ir.blocks) if state.func_ir else 0
        with errors.new_error_context("Pass {name}", name=one.name()):  # type: ignore[attr-defined]
            one.run_initialization(state)
            one.run_pass(state)
            one.run_finalizer(state)
        if isinstance(one, DeadBranchPrune) and len(state.func_ir.blocks) < blocks:
            PostProcessor(state.func_ir).run()  # variables live shorter; other passes see to it themselves


def nopython_passes(state: Any, fold: type) -> PassManager:
    """The passes of Numba's compiler, with those above, and with `fold` before types are inferred."""
    whole = DefaultPassBuilder.define_nopython_pipeline(state)
    passes = Passes(whole.pipeline_name)
    passes.passes = whole.passes
    passes.add_pass_after(fold, RewriteSemanticConstants)
    ours = {
        InlineClosureLikes: InlineClosuresIfAny,
        NopythonTypeInference: SettlingTypeInference,
        NopythonRewrites: RewriteArraysIfAny,
        NativeLowering: TunedLowering,
    }
    assert ours.keys() <= {one for one, _ in passes.passes}
    passes.passes = [(ours.get(one, one), description) for one, description in passes.passes]
    passes.finalize()
    return passes


def settle_branch(function: Any, block: Any, test: Any, value: bool) -> None:
    """Make the branch at the end of a block depend on a constant, instead of the test `bool(…)`."""
    branch = block.body[-1]
    variable = block.scope.redefine("$fact", branch.loc)
    constant = ir.Const(value, branch.loc)
    block.prepend(ir.Assign(constant, variable, branch.loc))
    function._definitions[variable.name].append(constant)
    test.args = [variable]


# -- Code as bytes.


class _Pickler(NumbaPickler):  # type: ignore[misc]
    """Pickles classes of the main program by name, where Numba would copy them: a copy is another class."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, type) and obj.__module__ == "__main__":
            return NotImplemented
        return super().reducer_override(obj)


class CodeCache(NullCache):  # type: ignore[misc]
    """A cache in Numba's interface, for code as bytes, which the caller has verified."""

    def __init__(
        self, signature: tuple[Any, ...], code: bytes | None, warn: Callable[[str], None], keeps: bool
    ) -> None:
        self.signature = signature
        self.keeps = keeps
        """Whether code is wanted for storing."""
        self.code = code
        """The cached code, if there is any."""
        self.made: bytes | None = None
        """The code to store, once it is compiled."""
        self.warn = warn

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        if self.code is None:
            return None
        target_context.refresh()
        try:
            signature, parts = pickle.loads(self.code)
            if signature == self.signature:
                return CompileResult._rebuild(target_context, *parts)
        except Exception as error:  # it may refer to something that no longer exists
            self.warn(f"the cached code cannot be loaded ({first_line(error)})")
        return None

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        if not self.keeps:
            return None
        if data.library.has_dynamic_globals:
            return self.warn("it holds addresses, such as those of large global arrays")
        try:
            buffer = io.BytesIO()
            _Pickler(buffer).dump((self.signature, data._reduce()))
            self.made = buffer.getvalue()
        except Exception as error:  # pickling may raise anything
            self.warn(f"it cannot be pickled ({first_line(error)})")
        return None


def use_cache(dispatcher: Any, cache: CodeCache) -> None:
    """Have a function that Numba compiles look in a cache first."""
    dispatcher._cache = cache


def first_line(error: BaseException) -> str:
    """The first line of what an error says, or its type if it says nothing."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
