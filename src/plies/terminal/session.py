"""A game at the terminal: whose turn it is, what a person types, and how it ends."""

from __future__ import annotations

import random
import sys
from itertools import islice

from plies.engine import SearchResult
from plies.engine.interrupts import noticing_interrupts
from plies.errors import Forfeit, IllegalMove, PliesError
from plies.game import CHANCE, SIMULTANEOUS, Action, Game, State
from plies.history import LONGEST_GAME, History
from plies.players import EnginePlayer, Player, chosen_at_once
from plies.records import read_move
from plies.simple_players import Human, question
from plies.terminal.commands import command_named
from plies.terminal.formatting import counters_text
from plies.terminal.pondering import Pondering
from plies.terminal.screen import LONGEST_LINE, Screen
from plies.validation import outcomes_in


class Session:
    """A game between players, some of them people."""

    def __init__(
        self,
        game: Game,
        players: list[Player],
        screen: Screen,
        *,
        position: str = "",
        seed: int | None = None,
        note: str = "",
        ponder: bool = False,
    ) -> None:
        """`note` is shown at the start, after the players; with `ponder`, engines think while people do."""
        self.game, self.players, self.screen = game, players, screen
        self.note = note
        self.pondering = Pondering(game, ponder)
        self.position = position
        self.generator = random.Random(seed)
        self.people = [number for number, player in enumerate(players) if isinstance(player, Human)]
        self.quitting = False
        self.restart()

    def restart(self) -> None:
        """Begin again from the first position."""
        start = self.game.parse_position(self.position) if self.position else None
        self.continue_with(History(self.game, start))

    def continue_with(self, history: History) -> None:
        """Go on with a game."""
        self.history = history
        self.resigned: int | None = None
        self.forfeit = ""  # why the player who has lost so could not go on, if that is how
        self.moved()

    def moved(self) -> None:
        """Forget what belongs to another position."""
        self.found: SearchResult | None = None  # what the engine found here,
        self.hints = 0  # and how much of it was told
        self.shown = False  # whether the state, or the result, is on the screen
        self.choices: dict[int, Action] = {}  # of people, where all choose at once
        self.pondering.stop()

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.history.state

    # -- The game.

    def run(self) -> None:
        """Play until the game is over, or a person quits."""
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
            finally:
                self.pondering.stop()
            if self.people or self.interrupts.noticed:
                self.screen.say("Goodbye.")

    def _step(self) -> None:
        """One move, one command, or the end."""
        if self.over:
            self._end()
            return
        mover = self._mover()
        if len(self.history.actions) >= LONGEST_GAME:
            self.screen.say(f"The game is stopped after {LONGEST_GAME:,} moves.")
            self.quitting = True
        elif mover == CHANCE:
            self._roll()
        elif mover == SIMULTANEOUS:
            self._choose_together()
        elif mover in self.people:
            self._show()
            if self.decides(self.state):
                self._obey(self.screen.ask(question(self.game, self.state)))
            else:
                self.screen.say(f"{self._label(mover)} cannot move and passes.")
                self._play(self.history.legal()[0])
        else:
            self._let_machine_move(mover)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.resigned is not None or self.history.over

    def _mover(self) -> int:
        """Whose turn it is; raise if the rules contradict themselves here."""
        mover = self.game.to_move(self.state)
        at_once = mover == SIMULTANEOUS and self.game.simultaneous
        if mover != CHANCE and mover not in range(self.game.players) and not at_once:
            raise PliesError(f"to_move() of {self.game!r} is {mover!r} here, which is not one of its players")
        if mover != CHANCE and not any(True for _ in self.game.actions(self.state)):
            raise PliesError(f"{self.game!r} has no legal moves here, but is_terminal() is false")
        return mover

    def decides(self, state: State) -> bool:
        """Whether a person is to move and can do more than pass (an action that touches no cell)."""
        game = self.game
        if game.to_move(state) == SIMULTANEOUS:
            return any(len(list(islice(game.choices(state, person), 2))) > 1 for person in self.people)
        if game.to_move(state) not in self.people:
            return False
        actions = list(islice(game.actions(state), 2))
        return (
            len(actions) > 1 or not game.has("move_squares") or len(game.move_squares(state, actions[0])) > 0
        )

    def _roll(self) -> None:
        actions, weights = zip(*outcomes_in(self.game, self.state), strict=True)
        action = self.generator.choices(actions, weights)[0]
        self._tell(f"Chance: {self.game.notation(self.state, action)}.", "magenta")
        self._play(action)

    def _let_machine_move(self, mover: int) -> None:
        if not self.people or not self.history.actions:
            self._show()
        self.interrupts.noticed = False
        try:
            with self.screen.thinking(self._label(mover)) as tell:
                player = self.players[mover]
                if isinstance(player, EnginePlayer) and not self.screen.plain:
                    player.tell = lambda found: tell(counters_text(found))
                action = player.choose(self.game, self.state, self.history.previous)
        except Forfeit as error:
            self.resigned, self.forfeit, self.shown = mover, str(error), False
            return
        if self.interrupts.noticed and not self.people:  # nobody to hand the game back to
            raise KeyboardInterrupt
        self._tell(f"{self._label(mover)} plays {self.game.notation(self.state, action)}.")
        self._play(action)
        if not self.over and self.game.to_move(self.state) in self.people:
            self.pondering.begin(self.players[mover], self._label(mover), self.state, self.history.previous)

    @property
    def chooser(self) -> int | None:
        """Where all choose at once: the person whose choice is asked for next, if there is one."""
        if self.over or self.game.to_move(self.state) != SIMULTANEOUS:
            return None
        return next((person for person in self.people if person not in self.choices), None)

    def _choose_together(self) -> None:
        """Ask a person; once all people have chosen, the machines choose, and all choices are shown."""
        if self.people or not self.history.actions or not self.shown:
            self._show()
        if (person := self.chooser) is None:
            self._reveal()
            return
        choices = list(islice(self.game.choices(self.state, person), 2))
        if len(choices) == 1:
            self.choices[person] = choices[0]
            return
        ask = self.screen.ask if len(self.people) == 1 else self.screen.ask_secretly
        self._obey(ask(question(self.game, self.state, person)))

    def _reveal(self) -> None:
        """Let the machines choose, who are not told what people chose, and play all choices."""
        game, state = self.game, self.state
        self.interrupts.noticed = False
        for seat, player in enumerate(self.players):
            if seat not in self.people:
                with self.screen.thinking(self._label(seat)):
                    self.choices[seat] = chosen_at_once(player, game, state, seat)
        if self.interrupts.noticed and not self.people:
            raise KeyboardInterrupt
        action = tuple(self.choices[seat] for seat in range(game.players))
        told = [
            f"{self._label(seat)} plays {game.choice_notation(state, seat, choice)}"
            for seat, choice in enumerate(action)
        ]
        self._tell(f"{', '.join(told)}.")
        self._play(action)

    def _tell(self, text: str, style: str | None = None) -> None:
        """Announce a move or a roll."""
        self.screen.say(text, style)

    def _play(self, action: Action) -> None:
        self.history.play(action)
        self.moved()

    def _show(self) -> None:
        if not self.shown:
            history = self.history
            last = (history.states[-2], history.actions[-1]) if history.actions else None
            self.screen.board(self.game, self.state, last)
            if not self.over and (standing := self.game.standing(self.state)):
                self.screen.say(f"{standing}.", "dim")
            self.shown = True

    def _end(self) -> None:
        """Announce the result, and ask a person what to do next."""
        if not self.shown:
            self._show()
            self.screen.say(self._result(), "bold")
            if self.pondering.tries:
                self.screen.say(f"{self.pondering.summary()}.")
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
        if self.resigned is None and not self.history.reason:
            said = (self.game.ending(self.state), self.game.standing(self.state))
            because = "".join(f"; {words}" for words in said if words)
        everyone = range(self.game.players)
        if self.resigned is not None:
            others = [self._label(number) for number in everyone if number != self.resigned]
            wins = f"; {others[0]} wins" if len(others) == 1 else ""
            how = f"loses {after}: {self.forfeit}" if self.forfeit else f"resigns {after}"
            return f"{self._label(self.resigned)} {how}{wins}."
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
        """Make the move or run the command, or say why not."""
        try:
            if len(line) > LONGEST_LINE:
                more = " or more" if len(line) == LONGEST_LINE + 1 else ""  # the rest was not kept
                raise PliesError(f"that is {len(line)} characters{more}, too long for a move or a command")
            if not line.strip():
                raise PliesError("type a move or a command; ? lists the commands")
            word, _, argument = line.strip().partition(" ")
            command = command_named(word)
            if self.over and not command:
                raise PliesError("the game is over; type new, undo, save FILE or quit")
            if self.over or not self._made(line, bool(command)):
                assert command is not None
                command.run(self, argument.strip())
        except PliesError as error:
            self.screen.say(str(error))

    def _made(self, line: str, is_command: bool) -> bool:
        """Make the move that a line names, if it is one; raise if it is no command either."""
        person = self.chooser
        try:
            if person is not None:
                self.choices[person] = self.game.parse_choice(self.state, person, line)
                return True
            action = read_move(self.game, self.state, line)
        except IllegalMove:
            if is_command:
                return False
            raise
        if judged := self.pondering.judged(self.state, action):
            self.screen.say(judged, "dim")
        self._play(action)
        return True
