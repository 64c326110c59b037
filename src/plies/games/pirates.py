"""The pirate game: a captain proposes how to share gold, the crew votes, a captain who fails is drowned."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plies.errors import BadParameter, BadPosition
from plies.game import Game
from plies.scene import Cell, Label, Piece, Scene

NO, AYE = 0, 1
"""The actions of a voter; a captain's are proposals, which are negative numbers."""

MOST_PIRATES = 15
"""The most pirates. Not tuned: 62 bits for all shares are the tighter limit."""


class State(NamedTuple):
    """The shares proposed, packed into a number, the first pirate lowest; and the votes."""

    captain: int  # the pirate who proposes; those before are drowned
    proposal: int  # -1 before there is one
    voter: int  # the pirate to vote
    ayes: int  # the captain's own included
    noes: int


class Pirates(Game):
    """The pirate game. A voter's action is AYE or NO, a captain's is a proposal p as the number -1 - p.

    A coin is worth as many points as there are pirates, a drowned comrade 1, so that no number of drowned
    outweighs a coin; to be drowned is worth -1. A player therefore prefers life to death, then more coins,
    then more drowned, and no two ends that differ in these are worth the same.
    """

    total = None
    exact_key = True
    prompt = "Propose a share for each pirate, such as 3/0/1, or vote aye or no"
    rules = (
        "Pirates share gold coins. The first of them, the captain, proposes how many coins each gets; the "
        "others vote on it one by one, the captain being for it. If at least half of those alive are for "
        "it, the coins are shared so and the game is over; if not, the captain is drowned, and the next "
        "pirate is captain. A pirate wants above all to live, then as many coins as possible, then to see "
        "as many drowned as possible. A coin is worth as many points as there are pirates, each drowned "
        "pirate 1 to the living, and -1 to himself."
    )

    def __init__(self, pirates: int = 4, coins: int = 4) -> None:
        """`pirates` of them share `coins`."""
        if not 1 <= pirates <= MOST_PIRATES:
            raise BadParameter(f"pirates must be between 1 and {MOST_PIRATES}, not {pirates}")
        if not 1 <= coins <= 1_000_000:
            raise BadParameter(f"coins must be between 1 and 1,000,000, not {coins}")
        self.digit = coins.bit_length()  # bits of a share
        if pirates * self.digit > 62:
            raise BadParameter(f"{coins} coins for {pirates} pirates do not fit in 62 bits")
        self.pirates = pirates
        self.coins = coins
        self.players = pirates
        self.move_indices = 2 + (1 << pirates * self.digit)
        self.plane_shape = (pirates, self.digit)
        self.bounds = (-1, coins * pirates + pirates - 1)

    # -- The six rules.

    def initial(self) -> State:
        return State(0, -1, 0, 0, 0)

    def to_move(self, state: State) -> int:
        return state.captain if state.proposal < 0 else state.voter

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            if state.proposal >= 0:
                yield NO
                yield AYE
            else:
                # All coins to the captain first, then more and more to the others.
                shares = self.coins << self.digit * state.captain
                while shares >= 0:
                    yield -1 - shares
                    shares = self.following(shares, state.captain)

    def following(self, shares: int, captain: int) -> int:
        """The next proposal, in the order of what all but the captain get; -1 after the last."""
        left = self.share(shares, captain)
        cleared = 0
        for pirate in range(captain + 1, self.pirates):
            if left + cleared > 0:  # one coin more for this pirate, none for those before
                place = self.digit * captain
                return shares - (left << place) + (left + cleared - 1 << place) + (1 << self.digit * pirate)
            cleared = self.share(shares, pirate)
            shares -= cleared << self.digit * pirate
        return -1

    def share(self, shares: int, pirate: int) -> int:
        """The coins of a pirate in a proposal."""
        return shares >> self.digit * pirate & (1 << self.digit) - 1

    def result(self, state: State, action: int) -> State:
        captain = state.captain
        if action < 0:
            return State(captain, -1 - action, min(captain + 1, self.pirates - 1), 1, 0)
        ayes, noes = state.ayes + (action == AYE), state.noes + (action == NO)
        if 2 * noes > self.pirates - captain:  # a majority is against it
            return State(captain + 1, -1, captain + 1, 0, 0)
        return State(captain, state.proposal, min(state.voter + 1, self.pirates - 1), ayes, noes)

    def is_terminal(self, state: State) -> bool:
        return state.proposal >= 0 and 2 * state.ayes >= self.pirates - state.captain

    def utility(self, state: State, player: int) -> int:
        if player < state.captain:
            return -1
        return self.share(state.proposal, player) * self.pirates + state.captain

    def move_index(self, state: State, action: int) -> int:
        """The votes first, then the proposals."""
        return action if action >= 0 else 1 - action

    def planes(self, state: State, player: int) -> tuple[int, int, int, int, int]:
        """The shares proposed in binary, a row each, with one in all places where there is no proposal; the
        rows of the captain, of the pirate to vote, of those before the last aye, and of the player."""
        row = (1 << self.digit) - 1
        shares = state.proposal if state.proposal >= 0 else (1 << self.pirates * self.digit) - 1
        return (
            shares,
            row << self.digit * state.captain,
            row << self.digit * state.voter,
            (1 << self.digit * state.ayes) - 1,
            row << self.digit * player,
        )

    # -- Presentation.

    def player_name(self, player: int) -> str:
        return f"pirate {player + 1}"

    def notation(self, state: State, action: int) -> str:
        """The shares of those alive, the captain first, "3/0/1"; or "aye" or "no"."""
        if action >= 0:
            return ("no", "aye")[action]
        return "/".join(str(self.share(-1 - action, pirate)) for pirate in range(state.captain, self.pirates))

    def text(self, state: State) -> str:
        lines = []
        for pirate in range(self.pirates):
            words = [self.player_name(pirate)]
            if pirate < state.captain:
                words.append("drowned")
            if pirate == state.captain:
                words.append("captain")
            if pirate >= state.captain and state.proposal >= 0:
                coins = self.share(state.proposal, pirate)
                words.append(f"{coins} coin{'' if coins == 1 else 's'}")
            lines.append(", ".join(words))
        votes = f"{state.ayes} for it, {state.noes} against" if state.proposal >= 0 else "no proposal yet"
        return "\n".join([*lines, f"{self.coins} coins in all; {votes}"])

    def scene(self, state: State) -> Scene:
        """The pirates in a row, with their shares; and the two ways to vote."""
        cells = [Cell(self.player_name(pirate), pirate + 0.5, 0.5, "felt") for pirate in range(self.pirates)]
        pieces = []
        for pirate in range(state.captain, self.pirates):
            look = "king" if pirate == state.captain else "disc"
            pieces.append(Piece(pirate + 0.5, 0.5, pirate, look, str(pirate + 1)))
            if state.proposal >= 0:
                coins = str(self.share(state.proposal, pirate))
                pieces.append(Piece(pirate + 0.5, 1.5, None, "seeds", coins))
        pits = [Cell(f"share {pirate + 1}", pirate + 0.5, 1.5, "pit") for pirate in range(self.pirates)]
        width = max(self.pirates, 4)
        votes = [
            Cell(v, width / 2 - 0.95 + 1.9 * i, 2.7, "plain", 1.7, 0.8) for i, v in enumerate(("aye", "no"))
        ]
        pieces += [Piece(cell.x, cell.y, None, "sign", cell.name) for cell in votes]
        labels = [Label(width / 2, 3.5, self.text(state).split("\n")[-1])]
        return Scene(width, 3.2, [*cells, *pits, *votes], pieces, (), labels)

    def move_squares(self, state: State, action: int) -> Sequence[str]:
        """The vote, or the pirates that the coins of a proposal go to, one by one."""
        if action >= 0:
            return (self.notation(state, action),)
        return tuple(
            self.player_name(pirate)
            for pirate in range(state.captain, self.pirates)
            for _ in range(self.share(-1 - action, pirate))
        )

    def position(self, state: State) -> str:
        """The number drowned, then any proposal and the votes for and against: "1 3/0/1 1:0"."""
        if state.proposal < 0:
            return str(state.captain)
        return f"{state.captain} {self.notation(state, -1 - state.proposal)} {state.ayes}:{state.noes}"

    def parse_position(self, text: str) -> State:
        """The state of a string such as "1 3/0/1 1:0" or "1", or after moves from the start."""
        found = re.fullmatch(r"([0-9]{1,2})(?:\s+([0-9/]{1,200})\s+([0-9]{1,2}):([0-9]{1,2}))?", text.strip())
        if not found:
            played: State = super().parse_position(text)
            return played
        captain = int(found[1])
        if captain >= self.pirates:
            raise BadPosition(
                f"at most {self.pirates - 1} of {self.pirates} pirates can be drowned, not {captain}"
            )
        if found[2] is None:
            return State(captain, -1, captain, 0, 0)
        words = found[2].split("/")
        alive = self.pirates - captain
        if len(words) != alive or not all(re.fullmatch("[0-9]{1,7}", word) for word in words):
            raise BadPosition(f"{found[2]!r} is not a share for each of {alive} pirates")
        shares = [int(word) for word in words]
        if sum(shares) != self.coins:
            raise BadPosition(
                f"the shares {found[2]!r} sum to {sum(shares)}, and there are {self.coins} coins"
            )
        ayes, noes = int(found[3]), int(found[4])
        before = max(ayes - 1, 1)  # ayes before the last one, which may have decided the vote
        undecided = 2 * before < alive or (ayes, noes) == (1, 0)
        if ayes < 1 or ayes + noes > alive or 2 * noes > alive or not undecided:
            raise BadPosition(f"a vote of {alive} pirates cannot stand at {ayes}:{noes}")
        proposal = sum(share << self.digit * (captain + i) for i, share in enumerate(shares))
        return State(captain, proposal, min(captain + ayes + noes, self.pirates - 1), ayes, noes)
