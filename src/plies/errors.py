"""The errors Plies raises: each carries one sentence a person can act on."""


class PliesError(Exception):
    """What every error of Plies' own is, so that one `except` catches them all."""


class IllegalMove(PliesError, ValueError):
    """A move that the rules do not allow here, or that cannot be read."""


class BadPosition(PliesError, ValueError):
    """A position that cannot be read, or that no game could reach."""


class BadParameter(PliesError, ValueError):
    """A game or an algorithm was given a parameter it does not take."""


class UnknownGame(PliesError, LookupError):
    """No game of that name is installed, or the file that should hold it has none."""


class Unsuitable(PliesError, TypeError):
    """An algorithm that cannot serve this kind of game."""


class Forfeit(PliesError):
    """A player has lost by failing to move: it died, hung, played an illegal move or resigned."""


class NotCompilable(PliesError):
    """A rule that cannot become machine code, with the line of it that is to blame."""


class BrokenRule(PliesError):
    """A rule of a game gave what no game can work with: it names the rule, the state and the file."""


class PliesWarning(UserWarning):
    """Something works, but not as well as it could, with what to do about it."""
