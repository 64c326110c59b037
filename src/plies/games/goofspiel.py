"""Goofspiel, the game of pure strategy: bid a card for each prize, both players at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plies.errors import BadParameter, BadPosition
from plies.game import CHANCE, SIMULTANEOUS, Game
from plies.scene import Cell, Label, Piece, Scene

MOST_CARDS = 13
"""As many as a suit has."""

ORDERS = ("descending", "ascending", "random")
TIES = ("discard", "carry")

Bids = tuple[int, int]


class State(NamedTuple):
    """What is left, and who has won what."""

    hands: tuple[tuple[int, ...], tuple[int, ...]]  # the cards that each player still has
    deck: tuple[int, ...]  # the prizes that are still face down
    prize: int  # the prize that is up; 0 while the next one is drawn, and at the end
    carried: int  # the worth of earlier prizes that go with it, after ties
    points: tuple[int, int]


class Goofspiel(Game):
    """Goofspiel for two with few cards. An action is the pair of cards that both bid; chance draws prizes.

    A utility is by how many points a player wins. Prizes come in a fixed order, or at random, as people play
    it. After equal bids, most `discard` the prize or split it, which is the same here; some `carry` it over
    to the next round.
    """

    prompt = "Choose a card"
    rules = (
        "Each player has the cards 1 to N, and so has the deck of prizes. In each round a prize is turned up "
        "and both bid one of their cards for it, at once. The higher card wins as many points as the prize "
        "says; both cards are out of the game. If the cards are the same, nobody wins the prize: it is "
        "discarded, or carried over to the next round. Whoever has more points in the end wins by the "
        "difference."
    )

    def __init__(self, cards: int = 5, prizes: str = "descending", ties: str = "discard") -> None:
        if isinstance(cards, bool) or not isinstance(cards, int) or not 1 <= cards <= MOST_CARDS:
            raise BadParameter(f"cards must be between 1 and {MOST_CARDS}, not {cards!r}")
        if prizes not in ORDERS:
            raise BadParameter(f"prizes must be {', '.join(ORDERS[:-1])} or {ORDERS[-1]}, not {prizes!r}")
        if ties not in TIES:
            raise BadParameter(f"ties must be {' or '.join(TIES)}, not {ties!r}")
        self.cards, self.prizes, self.ties = cards, prizes, ties
        most = cards * (cards + 1) // 2
        self.bounds = (-most, most)
        self.move_indices = cards + 1
        self.plane_shape = (max(cards + 1, most.bit_length()),)

    @property
    def stochastic(self) -> bool:
        return self.prizes == "random"

    def initial(self) -> State:
        suit = tuple(range(1, self.cards + 1))
        return self._turned(State((suit, suit), suit, 0, 0, (0, 0)))

    def _turned(self, state: State) -> State:
        """The next prize is up, unless it is for chance to draw."""
        deck = state.deck
        if not deck or (self.prizes == "random" and len(deck) > 1):
            return state
        prize = max(deck) if self.prizes == "descending" else min(deck)
        return self._drawn(state, prize)

    def _drawn(self, state: State, prize: int) -> State:
        return state._replace(prize=prize, deck=_without(state.deck, prize))

    def to_move(self, state: State) -> int:
        return SIMULTANEOUS if state.prize else CHANCE

    def choices(self, state: State, player: int) -> Iterator[int]:
        yield from state.hands[player]

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        for prize in state.deck:
            yield prize, 1 / len(state.deck)

    def result(self, state: State, action: int | Bids) -> State:
        if isinstance(action, int):
            return self._drawn(state, action)
        first, second = action
        worth, carried = state.prize + state.carried, 0
        gains = (worth if first > second else 0, worth if second > first else 0)
        if first == second and self.ties == "carry":
            carried = worth
        hands = _without(state.hands[0], first), _without(state.hands[1], second)
        points = state.points[0] + gains[0], state.points[1] + gains[1]
        return self._turned(State(hands, state.deck, 0, carried, points))

    def is_terminal(self, state: State) -> bool:
        return not state.hands[0]

    def utility(self, state: State, player: int) -> int:
        return state.points[player] - state.points[1 - player]

    def planes(self, state: State, player: int) -> tuple[int, ...]:
        """The cards of the player and of the opponent, the prizes to come and the one that is up, as the bits
        of their numbers; then what is carried over, and the points of both, in binary."""
        sets = (state.hands[player], state.hands[1 - player], state.deck, (state.prize,))
        cards = (sum(1 << card for card in cards) for cards in sets)
        return *cards, state.carried, state.points[player], state.points[1 - player]

    def evaluate(self, state: State, player: int) -> float:
        """The lead so far."""
        return float(self.utility(state, player))

    def identity(self, state: State) -> tuple[object, ...]:
        """The state with the lead alone instead of the points."""
        return *state[:4], state.points[0] - state.points[1]

    # -- Presentation.

    def text(self, state: State) -> str:
        carried = f", with {state.carried} carried over" if state.carried and state.prize else ""
        prize = f"prize {state.prize}{carried}" if state.prize else "no prize is up"
        deck = f"; to come: {_listed(state.deck)}" if state.deck else ""
        hands = [
            f"{self.player_name(player)}: cards {_listed(state.hands[player]) or 'none'}, "
            f"{state.points[player]} point{'' if state.points[player] == 1 else 's'}"
            for player in (0, 1)
        ]
        return "\n".join([prize + deck, *hands])

    def scene(self, state: State) -> Scene:
        """The second player's cards above, the first player's below, and the prizes between them."""
        cells, pieces = [], []
        for card in range(1, self.cards + 1):
            for player, y in ((1, 1.0), (0, 4.0)):
                cells.append(Cell(_cell(player, card), card - 0.5, y))
                if card in state.hands[player]:
                    pieces.append(Piece(card - 0.5, y, player, "sign", str(card)))
        middle = self.cards / 2
        labels = [
            Label(middle, 0.2, f"{self.player_name(1)}: {state.points[1]}"),
            Label(middle, 4.8, f"{self.player_name(0)}: {state.points[0]}"),
            Label(middle, 2.5, self.text(state).split("\n")[0]),
        ]
        return Scene(self.cards, 5, cells, pieces, [], labels)

    def choice_squares(self, state: State, player: int, choice: int) -> Sequence[str]:
        """The cell of the card."""
        return (_cell(player, choice),)

    def position(self, state: State) -> str:
        """Both hands and the prizes to come, the prize that is up, what is carried over, and the points."""
        cards = "/".join(".".join(map(str, part)) or "-" for part in (*state.hands, state.deck))
        carried = f"+{state.carried}" if state.carried else ""
        return f"{cards} {state.prize or '?'}{carried} {state.points[0]}:{state.points[1]}"

    def parse_position(self, text: str) -> State:
        """The state of a string such as "1.2.4/1.2.3/1.3 2+4 0:0", or after moves and draws."""
        found = re.fullmatch(
            r"([0-9.]+|-)/([0-9.]+|-)/([0-9.]+|-)\s+"
            r"([0-9]{1,2}|\?)(?:\+([0-9]{1,3}))?\s+([0-9]{1,3}):([0-9]{1,3})",
            text.strip(),
        )
        if not found:
            played: State = super().parse_position(text)
            return played
        first, second, deck = (self._suit(part, text) for part in found.group(1, 2, 3))
        prize = 0 if found[4] == "?" else int(found[4])
        state = State((first, second), deck, prize, int(found[5] or 0), (int(found[6]), int(found[7])))
        self._check(state, text)
        return state

    def _suit(self, part: str, text: str) -> tuple[int, ...]:
        """The cards that a part of a position string lists."""
        cards = tuple(int(card) for card in part.split(".") if card) if part != "-" else ()
        if list(cards) != sorted(set(cards)) or not set(cards) <= set(range(1, self.cards + 1)):
            raise BadPosition(f"{part!r} in {text!r} must be cards from 1 to {self.cards} in ascending order")
        return cards

    def _check(self, state: State, text: str) -> None:
        """Refuse a position that no game comes to."""
        left = len(state.hands[0])
        up = (state.prize,) if state.prize else ()
        if len(state.hands[1]) != left or len(state.deck) + len(up) != left:
            raise BadPosition(f"{text!r} must have as many cards in each hand as there are prizes left")
        if state.prize > self.cards or state.prize in state.deck:
            raise BadPosition(f"the prize {state.prize} in {text!r} must be from 1 to {self.cards}, once")
        if not up and left and self._turned(state) != state:
            raise BadPosition(f"{text!r} must say which prize is up: it is not for chance to draw")
        suit = list(range(1, self.cards + 1))
        if self.prizes != "random" and left:
            order = suit if self.prizes == "descending" else suit[::-1]
            if state.prize != order[left - 1] or {*state.deck, *up} != set(order[:left]):
                raise BadPosition(f"the prizes in {text!r} do not come in {self.prizes} order")
        gone = set(suit) - {*state.deck, *up}
        if sum(state.points) + state.carried > sum(gone) or (state.carried and self.ties != "carry"):
            raise BadPosition(f"the points in {text!r} are more than the prizes that were won")


def _without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(other for other in cards if other != card)


def _listed(cards: tuple[int, ...]) -> str:
    return " ".join(map(str, cards))


def _cell(player: int, card: int) -> str:
    """The name of the cell of a player's card, as "1-3"."""
    return f"{player + 1}-{card}"
