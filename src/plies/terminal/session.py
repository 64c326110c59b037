"""A game as it goes on in a terminal: whose turn it is, what people may type, and how it ends."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from plies.engine import SearchResult, search
from plies.engine.interrupts import noticing_interrupts
from plies.engine.result import line_text, value_text
from plies.errors import IllegalMove, PliesError
from plies.game import CHANCE, Action, Game, State
from plies.history import LONGEST_GAME, History
from plies.players import Human, Player, question
from plies.records import link, read_move
from plies.terminal.arguments import number_in, path_in
from plies.terminal.formatting import effort_text, scores_text
from plies.terminal.record import read_record, write_record
from plies.terminal.screen import LONGEST_LINE, Screen

HINT_SECONDS = 1.0
SCORE_SECONDS = 3.0
"""To score every move takes longer than to find the best; it ends as soon as all scores are exact."""

MOVES_SHOWN = 60
MOST_SCORES = 100
"""Up to how many legal moves each gets an exact score; of more, the best one does."""


class Session:
    """A game between players, some of them people; `run` plays until everyone has had enough."""

    def __init__(
        self,
        game: Game,
        players: list[Player],
        screen: Screen,
        *,
        position: str = "",
        seed: int | None = None,
        note: str = "",
    ) -> None:
        """`note` is said at the beginning, after who plays."""
        self.game, self.players, self.screen = game, players, screen
        self.note = note
        self.position = position
        self.generator = random.Random(seed)
        self.people = [number for number, player in enumerate(players) if isinstance(player, Human)]
        self.quitting = False
        self._restart()

    def _restart(self) -> None:
        start = self.game.parse_position(self.position) if self.position else None
        self._go_on(History(self.game, start))

    def _go_on(self, history: History) -> None:
        self.history = history
        self.resigned: int | None = None
        self._moved()

    def _moved(self) -> None:
        """Forget what belongs to another state."""
        self.found: SearchResult | None = None  # what the engine knows of this state,
        self.hints = 0  # and how much of that was told
        self.shown = False  # whether the state, or the result, is on the screen

    @property
    def state(self) -> State:
        return self.history.state

    # -- The game.

    def run(self) -> None:
        """Play, until the game is over and nobody wants to go on, or somebody quits."""
        self.screen.say(self._introduction(), "bold")
        if self.note:
            self.screen.say(self.note)
        with noticing_interrupts() as self.interrupts:
            try:
                while not self.quitting:
                    self._step()
            except (EOFError, KeyboardInterrupt) as ended:
                self.quitting = True
                self.screen.say()  # the line of the question ends here
                if isinstance(ended, EOFError) and not self.over and not sys.stdin.isatty():
                    self.screen.say("The input ended before the game was over.")
            if self.people or self.interrupts.noticed:
                self.screen.say("Goodbye.")

    def _step(self) -> None:
        """One move, one command, or the end."""
        if self.over:
            self._end()
            return
        mover = self._mover()
        if len(self.history.actions) >= LONGEST_GAME:
            self.screen.say(f"The game is stopped: it has come to {LONGEST_GAME:,} moves.")
            self.quitting = True
        elif mover == CHANCE:
            self._roll()
        elif mover in self.people:
            self._show()
            if self._decides(self.state):
                self._obey(self.screen.ask(question(self.game, self.state)))
            else:
                self.screen.say(f"{self._label(mover)} cannot move, and passes.")
                self._play(self.history.legal()[0])
        else:
            self._let_machine_move(mover)

    @property
    def over(self) -> bool:
        return self.resigned is not None or self.history.over

    def _mover(self) -> int:
        """Whose turn it is, once the rules are seen to make sense here."""
        mover = self.game.to_move(self.state)
        if mover != CHANCE and mover not in range(self.game.players):
            raise PliesError(f"{self.game!r} says that player {mover!r} is to move, whom it does not have")
        if mover != CHANCE and not any(True for _ in self.game.actions(self.state)):
            raise PliesError(f"{self.game!r} has no legal move here, and says that it is not over")
        return mover

    def _decides(self, state: State) -> bool:
        """Whether a person is to move who can do more than pass: an action that points to no cell."""
        game = self.game
        if game.to_move(state) not in self.people:
            return False
        actions = list(islice(game.actions(state), 2))
        return (
            len(actions) > 1 or not game.has("move_squares") or len(game.move_squares(state, actions[0])) > 0
        )

    def _roll(self) -> None:
        outcomes = list(self.game.chance(self.state))
        total = sum(probability for _, probability in outcomes)
        if abs(total - 1) > 1e-6 or any(probability < 0 for _, probability in outcomes):
            raise PliesError(f"the probabilities of {self.game!r} sum to {total:g} here, not to 1")
        actions, weights = zip(*outcomes, strict=True)
        action = self.generator.choices(actions, weights)[0]
        self._tell(f"Chance: {self.game.notation(self.state, action)}.", "magenta")
        self._play(action)

    def _let_machine_move(self, mover: int) -> None:
        if not self.people or not self.history.actions:
            self._show()
        self.interrupts.noticed = False
        with self.screen.thinking(self._label(mover)):
            action = self.players[mover].choose(self.game, self.state, self.history.previous)
        if self.interrupts.noticed and not self.people:  # nobody to hand the game back to
            raise KeyboardInterrupt
        self._tell(f"{self._label(mover)} plays {self.game.notation(self.state, action)}.")
        self._play(action)

    def _tell(self, text: str, style: str | None = None) -> None:
        """Say what happens."""
        self.screen.say(text, style)

    def _play(self, action: Action) -> None:
        self.history.play(action)
        self._moved()

    def _show(self) -> None:
        if not self.shown:
            self.screen.board(self.game, self.state)
            self.shown = True

    def _end(self) -> None:
        """Announce the result, and ask a person how to go on."""
        if not self.shown:
            self._show()
            self.screen.say(self._result(), "bold")
        if self.people:
            self._obey(self.screen.ask("new, undo, save FILE or quit:"))
        else:
            self.quitting = True

    # -- Words.

    def _label(self, mover: int) -> str:
        """A player as "O (engine)", the only person as "X (you)"."""
        player = "you" if self.people == [mover] else self.players[mover].name
        return f"{self.game.player_name(mover)} ({player})"

    def _introduction(self) -> str:
        labels = [self._label(number) for number in range(self.game.players)]
        return f"{self.game.name}: {' against '.join(labels)}" + (
            ". Type ? for help." if self.people else "."
        )

    def _result(self) -> str:
        """Who won, and after how many moves."""
        count = sum(self.game.to_move(state) != CHANCE for state in self.history.states[:-1])
        after = f"after {count} move{'' if count == 1 else 's'}"
        because = f"; {self.history.reason}" if self.history.reason else ""
        everyone = range(self.game.players)
        if self.resigned is not None:
            others = [self._label(number) for number in everyone if number != self.resigned]
            wins = f"; {others[0]} wins" if len(others) == 1 else ""
            return f"{self._label(self.resigned)} resigns {after}{wins}."
        payoffs = [self.history.utility(number) for number in everyone]
        each = ", ".join(f"{self.game.player_name(n)} gets {payoff:g}" for n, payoff in enumerate(payoffs))
        if not self.game.constant_sum or self.game.players == 1:
            return f"The game is over {after}: {each}{because}."
        winners = [self._label(n) for n, payoff in enumerate(payoffs) if payoff == max(payoffs)]
        draw = self.game.draw_value
        numbers = "" if {abs(payoff - draw) for payoff in payoffs} <= {0, draw or 1} else f" ({each})"
        if len(winners) == self.game.players:
            return f"It is a draw {after}{numbers}{because}."
        return f"{' and '.join(winners)} win{'s' if len(winners) == 1 else ''} {after}{numbers}{because}."

    # -- What a person types.

    def _obey(self, line: str) -> None:
        """Make the move or follow the command; say in a sentence why not."""
        try:
            if len(line) > LONGEST_LINE:
                more = " or more" if len(line) == LONGEST_LINE + 1 else ""  # the rest was not kept
                raise PliesError(f"that is {len(line)} characters{more}, too long for a move or a command")
            if not line.strip():
                raise PliesError("type a move or a command; ? lists the commands")
            word, _, argument = line.strip().partition(" ")
            command = COMMANDS.get(ALIASES.get(word.lower(), word.lower()))
            if self.over and not command:
                raise PliesError("the game is over; type new, undo, save FILE or quit")
            if self.over or not self._made(line, bool(command)):
                assert command is not None
                command.act(self, argument.strip())
        except PliesError as error:
            self.screen.say(str(error))

    def _made(self, line: str, is_command: bool) -> bool:
        """Make the move that a line stands for, before any command; a line that is neither raises."""
        try:
            action = read_move(self.game, self.state, line)
        except IllegalMove:
            if is_command:
                return False
            raise
        self._play(action)
        return True

    def _help(self, _: str) -> None:
        lines = [f"  {command.usage:<12}{command.help}" for command in COMMANDS.values()]
        self.screen.show("\n".join(["Type a move, or one of", *lines]))

    def _rules(self, _: str) -> None:
        self.screen.say(self.game.rules or f"{self.game.name} does not tell its rules in words.")

    def _list_moves(self, _: str) -> None:
        if self.over:
            raise PliesError("there are no moves: the game is over")
        names = [self.game.notation(self.state, action) for action in self.history.legal()]
        more = f" … ({len(names)} in all)" if len(names) > MOVES_SHOWN else ""
        between = ", " if any(" " in name for name in names) else " "
        self.screen.say(f"Legal moves: {between.join(names[:MOVES_SHOWN])}{more}")

    def _hint(self, _: str) -> None:
        found = self._search()
        name = self.game.player_name(self.game.to_move(self.state))
        self.hints += 1
        if self.hints == 1:
            self.screen.say(
                f"For {name}: {value_text(found.value, self.game.unit)}. Type hint again for a move."
            )
        elif self.hints == 2:
            move = self.game.notation(self.state, found.action)
            self.screen.say(f"{move} looks best. Type hint again for how it goes on.")
        else:
            self.screen.say(f"It may go on {' '.join(line_text(self.game, self.state, found.line))}.")

    def _score(self, _: str) -> None:
        count = len(self.history.legal())
        found = self._search(count if count <= MOST_SCORES else 1, SCORE_SECONDS)
        scores = found.scores or {found.action: found.value}
        self.screen.show("\n".join(scores_text(self.game, self.state, scores)))
        if not found.scores:
            self.screen.say("The others were found to be no better, and how much worse is not known.")
        self.screen.show("\n".join(effort_text(found)))

    def _search(self, lines: int = 1, seconds: float = HINT_SECONDS) -> SearchResult:
        """What the engine finds here, with exact values for so many moves."""
        if self.over:
            raise PliesError("there is nothing to search: the game is over")
        if self.found is None or len(self.found.lines) < lines:
            with self.screen.thinking("engine"):
                previous = self.history.previous
                self.found = search(self.game, self.state, time=seconds, lines=lines, previous=previous)
        return self.found

    def _undo(self, _: str) -> None:
        if self.resigned is not None:
            self.resigned = None
        else:
            if not any(map(self._decides, self.history.states[:-1])):
                raise PliesError("there is no move of yours to take back")
            self.history.undo()
            while not self._decides(self.state):
                self.history.undo()
        self._moved()

    def _redo(self, _: str) -> None:
        self.history.redo()
        while self.history.undone and not self._decides(self.state):
            self.history.redo()
        self._moved()

    def _jump(self, argument: str) -> None:
        self.history.jump(number_in(argument, "jump"))
        self._arrive()

    def _branch(self, argument: str) -> None:
        number = number_in(argument, "branch")
        if not 1 <= number <= len(self.history.branches):
            raise PliesError(f"there is no branch {number}; game lists the branches")
        self.history.switch(number - 1)
        self._arrive()

    def _arrive(self) -> None:
        """Go on to where a person is to move, if the game has been there."""
        while self.history.undone and not self._decides(self.state):
            self.history.redo()
        self.resigned = None
        self._moved()

    def _list_game(self, _: str) -> None:
        history, start = self.history, self.history.states[0]
        here = len(history.actions)
        names = line_text(self.game, start, history.line)
        words = [f"{n}. {name}{' (here)' if n == here else ''}" for n, name in enumerate(names, 1)]
        self.screen.say(", ".join(words) or "No move was made yet.")
        for number, line in enumerate(history.branches, 1):
            self.screen.say(f"Branch {number}: {' '.join(line_text(self.game, start, line))}")

    def _resign(self, _: str) -> None:
        if self.over:
            raise PliesError("the game is over already")
        self.resigned, self.shown = self.game.to_move(self.state), False

    def _new(self, _: str) -> None:
        self._restart()

    def _show_position(self, _: str) -> None:
        self.screen.show(self.game.position(self.state))

    def _show_link(self, _: str) -> None:
        self.screen.show(link(self.history, self.position))

    def _save(self, argument: str) -> None:
        path = path_in(argument, "save")
        write_record(path, self.position, self.history)
        self.screen.say(f"Saved to {path}.")

    def _load(self, argument: str) -> None:
        self.position, history = read_record(path_in(argument, "load"), self.game)
        self._go_on(history)

    def _quit(self, _: str) -> None:
        self.quitting = True


class Command(NamedTuple):
    """Something a person can type besides a move."""

    usage: str
    help: str
    act: Callable[[Session, str], None]


COMMANDS = {
    command.usage.split()[0]: command
    for command in (
        Command("moves", "the legal moves", Session._list_moves),
        Command("hint", "how you stand; typed again, a move; and again, how it goes on", Session._hint),
        Command("score", "what each legal move is worth to you", Session._score),
        Command("undo", "take back your last move and the replies to it", Session._undo),
        Command("redo", "make the moves again that undo took back", Session._redo),
        Command("game", "the moves of the game, and the branches that were left", Session._list_game),
        Command("jump N", "go to where the game stood after N moves, back or forth", Session._jump),
        Command("branch N", "go to the end of a branch that game lists", Session._branch),
        Command("rules", "the rules in words", Session._rules),
        Command("position", "the position as a string", Session._show_position),
        Command("link", "the address of the game on the page of plies serve", Session._show_link),
        Command(
            "save FILE", "write a record of the game to a file: .json, or .pgn, .sgf, .pdn", Session._save
        ),
        Command("load FILE", "go on with the game in a file", Session._load),
        Command("resign", "give up the game", Session._resign),
        Command("new", "begin again", Session._new),
        Command("help", "this list", Session._help),
        Command("quit", "leave", Session._quit),
    )
}
ALIASES = {"?": "help", "h": "help", "q": "quit", "exit": "quit"}
