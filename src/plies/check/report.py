"""The report of `check_game`: broken rules, what compiles, and statistics of random games."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from plies.game import Game
from plies.rules import UNSEARCHED


@dataclass
class Statistics:
    """Statistics of random games."""

    lengths: list[int] = field(default_factory=list)
    """The plies of each finished game, chance included."""
    unfinished: int = 0
    """Games abandoned after `LONGEST` plies."""
    actions: int = 0
    choices: int = 0
    """The number of actions in all, and of the states they were in; chance not included."""
    most_actions: int = 0
    payoffs: list[list[float]] = field(default_factory=list)
    """The utilities of all players at the end of each game."""

    def lines(self, game: Game) -> list[str]:
        """As text: lengths, branching, and who wins."""
        found = []
        if self.lengths:
            mean = sum(self.lengths) / len(self.lengths)
            found.append(f"length: {mean:.1f} plies on average, {min(self.lengths)} to {max(self.lengths)}")
        if self.unfinished:
            found.append(f"{self.unfinished} games were abandoned after {LONGEST:,} plies")
        if self.choices:
            mean = self.actions / self.choices
            found.append(f"branching: {mean:.1f} actions on average, at most {self.most_actions}")
        if self.payoffs and game.players == 1:
            mean = math.fsum(payoff[0] for payoff in self.payoffs) / len(self.payoffs)
            found.append(f"utility at random: {mean:.4g} on average")
        elif self.payoffs:
            found.append(f"at random: {self._wins(game)}")
        return found

    def _wins(self, game: Game) -> str:
        wins = [0] * game.players
        draws = 0
        for payoff in self.payoffs:
            best = [player for player, utility in enumerate(payoff) if utility == max(payoff)]
            if len(best) == 1:
                wins[best[0]] += 1
            else:
                draws += 1
        share = 100 / len(self.payoffs)
        words = [f"{game.player_name(player)} wins {count * share:.0f}%" for player, count in enumerate(wins)]
        return ", ".join([*words, f"draws {draws * share:.0f}%"] if draws else words)


LONGEST = 2_000
"""The plies after which a random game is abandoned: it may go on for ever. Of our own games chess is the
longest, some 350 plies on average."""


@dataclass
class Report:
    """What `check_game` found out about a game."""

    game: str
    games: int = 0
    states: int = 0
    problems: list[str] = field(default_factory=list)
    compiled: bool = False
    """Whether searches run compiled."""
    why_not: str = ""
    """Why not, if they do not."""
    not_compiled: dict[str, str] = field(default_factory=dict)
    """The rules that do not compile, each with the reason."""
    stopped: bool = False
    """Whether Ctrl-C ended it early."""
    statistics: Statistics = field(default_factory=Statistics)
    statistics_lines: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether no rule is broken."""
        return not self.problems

    def __str__(self) -> str:
        lines = [f"{self.game}: {self.games} random games, {self.states:,} states"]
        if self.stopped:
            lines.append("  stopped early")
        lines += [f"  broken: {problem}" for problem in self.problems] or ["  every rule holds"]
        lines += [f"  {line}" for line in self.statistics_lines]
        if self.compiled:
            lines.append("  compiled and interpreted rules were compared")
            for rule, why in self.not_compiled.items():
                what = f"{rule}() runs interpreted"
                if rule not in UNSEARCHED:
                    what = f"compiled searches do without {rule}()"
                lines.append(f"  {what}: {why}")
        else:
            lines.append(f"  runs interpreted: {self.why_not}")
            others = (rule for rule, why in self.not_compiled.items() if why != self.why_not)
            lines += [f"  {rule}() does not compile either: {self.not_compiled[rule]}" for rule in others]
        return "\n".join(lines)
