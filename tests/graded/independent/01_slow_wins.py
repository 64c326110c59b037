"""Lab style: a list of ten cells, of which the first is not used; a game begins when the file is imported."""

import math


class TicTacToe:
    def __init__(self):
        self.board = [" "] * 10

    def show(self):
        b = self.board
        print(f" {b[1]} | {b[2]} | {b[3]}")
        print("---+---+---")
        print(f" {b[4]} | {b[5]} | {b[6]}")
        print("---+---+---")
        print(f" {b[7]} | {b[8]} | {b[9]}")

    def clearBoard(self):
        self.board = [" "] * 10

    def whoWon(self):
        return self.checkWin() or "nobody"

    def availableMoves(self):
        return [i for i in range(1, 10) if self.board[i] == " "]

    def getMoves(self, player):
        return [i for i in range(1, 10) if self.board[i] == player]

    def makeMove(self, position, player):
        self.board[position] = player

    def checkWin(self):
        for a, b, c in [(1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7)]:
            if self.board[a] != " " and self.board[a] == self.board[b] == self.board[c]:
                return self.board[a]
        return None

    def gameOver(self):
        return self.checkWin() is not None or not self.availableMoves()

    def minimax(self, node, depth, player):
        if node.gameOver():
            winner = node.checkWin()
            if winner == "X":
                return 10 + depth
            if winner == "O":
                return -10 - depth
            return 0
        if player == "X":
            best = -math.inf
            for move in node.availableMoves():
                node.makeMove(move, "X")
                best = max(best, self.minimax(node, depth + 1, "O"))
                node.makeMove(move, " ")
            return best
        best = math.inf
        for move in node.availableMoves():
            node.makeMove(move, "O")
            best = min(best, self.minimax(node, depth + 1, "X"))
            node.makeMove(move, " ")
        return best


def changePlayer(player):
    return "O" if player == "X" else "X"


def make_best_move(board, depth, player):
    best, choice = None, None
    for move in board.availableMoves():
        board.makeMove(move, player)
        value = board.minimax(board, depth + 1, changePlayer(player))
        board.makeMove(move, " ")
        if best is None or (value > best if player == "X" else value < best):
            best, choice = value, move
    return choice


game = TicTacToe()
while not game.gameOver():
    game.show()
    position = int(input("You are X: Choose number from 1-9: "))
    if position not in game.availableMoves():
        print("taken")
        continue
    game.makeMove(position, "X")
    if not game.gameOver():
        # the full search of the first answer takes long, so it is from a book of one line
        reply = 5 if 5 in game.availableMoves() else make_best_move(game, 0, "O")
        game.makeMove(reply, "O")
game.show()
print("winner:", game.whoWon())
