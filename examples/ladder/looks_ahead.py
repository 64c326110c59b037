"""A player that searches three plies deep by minimax, for any game: an agent may be a class."""


class Agent:
    """It is made anew for each game, so it may remember what happened in it."""

    def choose(self, game, state):
        """The action with the best value for whoever moves."""
        me = game.to_move(state)
        return max(
            game.actions(state), key=lambda action: self.value(game, game.result(state, action), me, 2)
        )

    def value(self, game, state, me, depth):
        """The minimax value of a state, to a depth."""
        if game.is_terminal(state):
            return game.utility(state, me)
        if depth == 0:
            return game.evaluate(state, me)
        values = [
            self.value(game, game.result(state, action), me, depth - 1) for action in game.actions(state)
        ]
        return max(values) if game.to_move(state) == me else min(values)
