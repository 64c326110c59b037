"""The refinements of the engine, each of which can be switched off."""

from __future__ import annotations

from dataclasses import dataclass

from plies.errors import BadParameter


@dataclass(frozen=True)
class Options:
    """What the engine does beyond plain alpha-beta. Those marked * give up exactness at a given depth."""

    table: bool = True
    """Remember positions in a transposition table."""

    table_cuts: bool = True
    """Look all replies up in the table before searching any."""

    null_window: bool = True
    """Principal variation search: prove the first action best with windows of no width."""

    aspiration: bool = True
    """Begin each depth with a narrow window around the last depth's score."""

    driver: str = "pvs"
    """How the root is searched: "pvs", or "mtd(f)", by null windows alone."""

    candidates: bool = True
    """Look only at the actions that the game calls plausible."""

    priority: bool = True
    """Try actions in the order of the game's `priority`."""

    child_order: bool = False
    """Try actions in the order of EVAL of the states they lead to."""

    killers: bool | None = None
    """Try actions early that brought cut-offs at the same ply; None: where a game has no `priority`."""

    history: bool | None = None
    """Try actions early that brought cut-offs anywhere; None: where a game has no `priority`."""

    symmetry: bool | None = None
    """Take symmetric positions for one in the table; None: near a root that is its own image and has few."""

    star1: bool = True
    """Where dice fall, leave out outcomes that no longer matter, by the bounds of the game's values."""

    star2: bool = True
    """Where dice fall, first try one action after each outcome, which may be enough."""

    quiescence: bool = True
    """Quiescence search: at the depth bound, go on with `noisy` actions until a state `is_quiet`."""

    threats: int = 4
    """In games that are `forcing`: the plies, besides twice the depth, that quiescence makes threats for."""

    extensions: bool = True
    """Wherever a state is not `is_quiet`, not only at the depth bound, search a ply deeper than else."""

    null_move: bool = False
    """* Take it that who is too far ahead after doing nothing (`null_move`) is so after the best action."""

    reductions: bool = False
    """* Search late actions a ply or more less deep, unless they turn out well."""

    beam: int = 0
    """* Look at no more than so many actions of each position, the most promising; 0: at all."""

    bias: float = 0.0
    """Added to evaluations at an odd depth, where the player at the root has made the last move."""

    def __post_init__(self) -> None:
        if self.driver not in ("pvs", "mtd(f)"):
            raise BadParameter(f"the driver is 'pvs' or 'mtd(f)', not {self.driver!r}")
        if self.threats < 0:
            raise BadParameter(f"threats are made for 0 or more plies, not {self.threats}")
        if self.beam < 0:
            raise BadParameter(f"the beam is 0 or more actions wide, not {self.beam}")
