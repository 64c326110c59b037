"""Lab style: three rows of three, negamax below minimax, quicker wins by the plies that are left."""


class TicTacToe:
    def __init__(self):
        self.board = [["_"] * 3 for _ in range(3)]

    def show(self):
        for row in self.board:
            print(" ".join(row))

    def clearBoard(self):
        self.__init__()

    def cells(self):
        return [(3 * r + c + 1, self.board[r][c]) for r in range(3) for c in range(3)]

    def availableMoves(self):
        return [n for n, mark in self.cells() if mark == "_"]

    def getMoves(self, player):
        return [n for n, mark in self.cells() if mark == player]

    def makeMove(self, position, player):
        self.board[(position - 1) // 3][(position - 1) % 3] = player

    def checkWin(self):
        b = self.board
        lines = b + [list(column) for column in zip(*b)] + [[b[i][i] for i in range(3)], [b[i][2 - i] for i in range(3)]]
        for player in "XO":
            if [player] * 3 in lines:
                return player
        return None

    def whoWon(self):
        return self.checkWin() if self.checkWin() else "Draw"

    def gameOver(self):
        return self.checkWin() is not None or len(self.availableMoves()) == 0

    def minimax(self, node, depth, player):
        sign = 1 if player == "X" else -1
        return sign * self.negamax(depth, player)

    def negamax(self, depth, player):
        other = changePlayer(player)
        if self.checkWin() == other:
            return -(10 + depth)
        if self.checkWin() == player:
            return 10 + depth
        if depth == 0 or not self.availableMoves():
            return 0
        best = -1000
        for move in self.availableMoves():
            self.makeMove(move, player)
            best = max(best, -self.negamax(depth - 1, other))
            self.makeMove(move, "_")
        return best


def changePlayer(player):
    return "XO"[player == "X"]


def make_best_move(board, depth, player):
    sign = -1 if player == "X" else 1
    choice, best = None, -1000
    for move in board.availableMoves():
        board.makeMove(move, player)
        value = sign * board.minimax(board, depth - 1, changePlayer(player))
        board.makeMove(move, "_")
        if value > best:
            choice, best = move, value
    return choice


if __name__ == "__main__":
    game = TicTacToe()
    while not game.gameOver():
        game.show()
        number = int(input("You are X: Choose number from 1-9: "))
        if number in game.availableMoves():
            game.makeMove(number, "X")
            if not game.gameOver():
                game.makeMove(make_best_move(game, 4, "O"), "O")
