"""Lab style without a class: functions of a board that is a global list."""

board = [" " for _ in range(9)]
WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def show():
    print("\n".join("|".join(board[i : i + 3]) for i in (0, 3, 6)))


def clearBoard():
    board[:] = [" "] * 9


def getMoves(player):
    return [i + 1 for i in range(9) if board[i] == player]


def availableMoves():
    return getMoves(" ")


def makeMove(position, player):
    board[position - 1] = player


def checkWin():
    for a, b, c in WINS:
        if board[a] == board[b] == board[c] != " ":
            return board[a]
    return ""


def whoWon():
    return checkWin()


def gameOver():
    return checkWin() != "" or " " not in board


def changePlayer(player):
    return "X" if player == "O" else "O"


def minimax(node, depth, player):
    if gameOver():
        return {"X": 100 - depth, "O": -100 - depth, "": 0}[checkWin()]
    values = []
    for move in availableMoves():
        makeMove(move, player)
        values.append(minimax(node, depth + 1, changePlayer(player)))
        makeMove(move, " ")
    return max(values) if player == "X" else min(values)


def make_best_move(board, depth, player):
    values = {}
    for move in availableMoves():
        makeMove(move, player)
        values[move] = minimax(board, depth + 1, changePlayer(player))
        makeMove(move, " ")
    return (max if player == "X" else min)(values, key=values.get)


if __name__ == "__main__":
    while not gameOver():
        show()
        move = int(input("You are X: Choose number from 1-9: "))
        if move in availableMoves():
            makeMove(move, "X")
            if not gameOver():
                makeMove(5 if 5 in availableMoves() else make_best_move(board, 0, "O"), "O")
