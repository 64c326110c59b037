"""Lab style: cells from 0 on, values 1, -1 and 0, and a depth that counts down to 0."""

COMBINATIONS = ([0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6])


class TicTacToe:
    def __init__(self):
        self.board = list("         ")

    def show(self):
        for i in (0, 3, 6):
            print(" | ".join(self.board[i : i + 3]))
            if i < 6:
                print("---------")

    def clearBoard(self):
        for i in range(9):
            self.board[i] = " "

    def whoWon(self):
        if self.checkWin() == "X":
            return "X"
        if self.checkWin() == "O":
            return "O"
        if self.gameOver():
            return "Nobody"

    def availableMoves(self):
        moves = []
        for i in range(len(self.board)):
            if self.board[i] == " ":
                moves.append(i)
        return moves

    def getMoves(self, player):
        moves = []
        for i in range(len(self.board)):
            if self.board[i] == player:
                moves.append(i)
        return moves

    def makeMove(self, position, player):
        self.board[position] = player

    def checkWin(self):
        for player in ("X", "O"):
            mine = self.getMoves(player)
            for combination in COMBINATIONS:
                win = True
                for position in combination:
                    if position not in mine:
                        win = False
                if win:
                    return player

    def gameOver(self):
        if self.checkWin() is not None:
            return True
        for cell in self.board:
            if cell == " ":
                return False
        return True

    def minimax(self, node, depth, player):
        if depth == 0 or node.gameOver():
            if node.checkWin() == "X":
                return 1
            elif node.checkWin() == "O":
                return -1
            else:
                return 0
        if player == "X":
            value = -100
            for move in node.availableMoves():
                node.makeMove(move, player)
                value = max(value, self.minimax(node, depth - 1, changePlayer(player)))
                node.makeMove(move, " ")
            return value
        else:
            value = 100
            for move in node.availableMoves():
                node.makeMove(move, player)
                value = min(value, self.minimax(node, depth - 1, changePlayer(player)))
            return value


def changePlayer(player):
    if player == "X":
        return "O"
    else:
        return "X"


def make_best_move(board, depth, player):
    bestMove = None
    bestValue = -100 if player == "X" else 100
    for move in board.availableMoves():
        board.makeMove(move, player)
        value = board.minimax(board, depth - 1, changePlayer(player))
        board.makeMove(move, " ")
        if (player == "X" and value > bestValue) or (player == "O" and value < bestValue):
            bestValue = value
            bestMove = move
    return bestMove


def main():
    game = TicTacToe()
    game.show()
    while not game.gameOver():
        position = int(input("You are X: Choose number from 1-9: "))
        if position - 1 in game.availableMoves():
            game.makeMove(position - 1, "X")
            if not game.gameOver():
                depth = min(6, len(game.availableMoves()))
                game.makeMove(make_best_move(game, depth, "O"), "O")
        game.show()
    print("Game Over.", game.whoWon(), "wins")


if __name__ == "__main__":
    main()
