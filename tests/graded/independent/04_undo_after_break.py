"""Lab style: the board is a dictionary, minimax prunes, and the best move is made as well as found."""


class Game:
    LINES = ["123", "456", "789", "147", "258", "369", "159", "357"]

    def __init__(self):
        self.clearBoard()

    def clearBoard(self):
        self.board = {cell: "-" for cell in range(1, 10)}

    def show(self):
        for row in (1, 4, 7):
            print(*(self.board[row + i] if self.board[row + i] != "-" else row + i for i in range(3)))

    def availableMoves(self):
        return [cell for cell, mark in self.board.items() if mark == "-"]

    def getMoves(self, player):
        return [cell for cell, mark in self.board.items() if mark == player]

    def makeMove(self, position, player):
        self.board[position] = player

    def checkWin(self):
        for line in self.LINES:
            marks = {self.board[int(cell)] for cell in line}
            if len(marks) == 1 and marks != {"-"}:
                return marks.pop()
        return False

    def whoWon(self):
        return self.checkWin() or None

    def gameOver(self):
        return bool(self.checkWin()) or "-" not in self.board.values()

    def minimax(self, node, depth, player, alpha=-1000, beta=1000):
        winner = node.checkWin()
        if winner:
            return 10 - depth if winner == "X" else depth - 10
        if not node.availableMoves():
            return 0
        best = -1000 if player == "X" else 1000
        for move in node.availableMoves():
            node.board[move] = player
            value = node.minimax(node, depth + 1, changePlayer(player), alpha, beta)
            if player == "X":
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if beta <= alpha:
                break
            node.board[move] = "-"
        return best


def changePlayer(player):
    return {"X": "O", "O": "X"}[player]


def make_best_move(board, depth, player):
    def worth(move):
        board.makeMove(move, player)
        value = board.minimax(board, depth + 1, changePlayer(player))
        board.makeMove(move, "-")
        return value

    move = (max if player == "X" else min)(board.availableMoves(), key=worth)
    board.makeMove(move, player)
    return move


if __name__ == "__main__":
    game = Game()
    while not game.gameOver():
        game.show()
        choice = input("You are X: Choose number from 1-9: ")
        if choice.isdigit() and int(choice) in game.availableMoves():
            game.makeMove(int(choice), "X")
            if not game.gameOver():
                make_best_move(game, 0, "O")
    game.show()
