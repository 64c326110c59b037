"""easyAI's Negamax on Connect Four: its own game, or one with the bitboards of Plies written for it.

Reads {"game", "depth", "openings"} from standard input; prints values, by sign, and seconds as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version

from easyAI import AI_Player, Negamax, TwoPlayerGame
from easyAI.games.ConnectFour import ConnectFour

HEIGHT = 6
COLUMNS = (3, 2, 4, 1, 5, 0, 6)


class Bitboards(TwoPlayerGame):
    """Connect Four as Plies has it, with moves that are taken back, the quickest way in easyAI."""

    def __init__(self, players: list[AI_Player]) -> None:
        self.players = players
        self.current_player = 1
        self.mine = 0  # stones of the player to move
        self.filled = 0

    def possible_moves(self) -> list[int]:
        return [column for column in COLUMNS if not self.filled >> (column * 7 + HEIGHT - 1) & 1]

    def make_move(self, column: int) -> None:
        self.mine ^= self.filled
        self.filled |= self.filled + (1 << column * 7)

    def unmake_move(self, column: int) -> None:
        stones = self.filled >> column * 7 & 127
        self.filled ^= (stones + 1 >> 1) << column * 7
        self.mine ^= self.filled

    def lose(self) -> bool:
        stones = self.mine ^ self.filled
        for step in (1, 6, 7, 8):
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    def is_over(self) -> bool:
        return self.filled.bit_count() == 42 or self.lose()

    def show(self) -> None:
        print(self.mine, self.filled)


def main() -> None:
    """Search every opening and print what was found."""
    asked = json.load(sys.stdin)
    search = Negamax(asked["depth"], lambda game: -100 if game.lose() else 0)
    values, duration = [], 0.0
    for moves in asked["openings"]:
        game = (Bitboards if asked["game"] == "bitboards" else ConnectFour)([AI_Player(search)] * 2)
        for move in moves:
            game.make_move(move)
            game.switch_player()
        start = time.perf_counter()
        search(game)
        duration += time.perf_counter() - start
        values.append((search.alpha > 0) - (search.alpha < 0))
    print(json.dumps({"values": values, "seconds": duration, "version": version("easyAI")}))


if __name__ == "__main__":
    main()
