"""Faults to be planted in the library, one at a time, each with the tests that should notice it.

A text that is no longer found fails `tests/test_mutants.py`: whoever changes a line with a fault changes the
fault, too. A fault that no test can notice, because it changes nothing, says why.
"""

# ruff: noqa: E501 (a text is as long as it is)
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A fault: in a function of a file, a text that is there once, and what it is replaced by."""

    file: str
    """From src/plies on."""
    function: str
    """A name, or "Class.method"; "" for the whole file."""
    text: str
    replacement: str
    tests: tuple[str, ...]
    """What to run, from the root on; the quickest to notice first."""
    compiled: bool = False
    """Whether the tests are of machine code; else they run interpreted."""
    why: str = ""
    """Why nothing can notice it."""

    def __str__(self) -> str:
        return f"{self.file}, {self.function}: {self.text!r} -> {self.replacement!r}"


def proofs(*cases: str) -> tuple[str, ...]:
    """The tests of proofs on graphs, of some cases only."""
    return tuple(f"tests/test_proofs.py::test_nothing_proved_is_false[{case}]" for case in cases)


PROOFS = (
    "tests/test_trust.py",
    *proofs(
        *(
            "alpha_beta-Loop",
            "alpha_beta-Clock",
            "alpha_beta-Cycle",
            "alpha_beta-ClockCycle",
            "alpha_beta-Superko",
            "alpha_beta-Thrice",
        ),
        *("alpha_beta-Graph", "alpha_beta-Wide", "alpha_beta-Share", "alpha_beta-ShareCycle"),
        *("solver-Graph", "solver-Wide", "solver-Share", "solver-Clock"),
    ),
)
EXPECTED = proofs("expectiminimax-Dice", "expectiminimax-ShareDice", "expectiminimax-CycleDice")
SHARED = proofs("max_n-Three", "max_n-ShareThree", "max_n-CycleThree")
ALONE = proofs("puzzle-Puzzle", "puzzle-CyclePuzzle")
PROVED = proofs("prover-Graph", "prover-Share", "prover-Clock")
GROWN = proofs("monte_carlo-Cycle", "monte_carlo-Superko", "monte_carlo-Thrice", "monte_carlo-Share")
BOOK = ("tests/test_book_alpha_beta.py",)
REFINED, STARS = "tests/test_book_refinements.py", "tests/test_book_star.py"
CHANCE = ("tests/test_book_chance_and_players.py",)
GOOFSPIEL, AT_ONCE = "tests/test_games_goofspiel.py", "tests/test_simultaneous.py"
PAGE_AT_ONCE = "tests/test_web_simultaneous.py"
ENGINE = ("tests/test_engine_properties.py", "tests/test_engine.py")
DICE = ("tests/test_engine_chance.py", "tests/test_chance_proofs.py")
TREE = ("tests/test_engine_monte_carlo.py",)
LEARN = ("tests/test_survivors.py", "tests/test_learn.py")
SOLVE = ("tests/test_solve.py",)


def plant(
    file: str, function: str, text: str, replacement: str, *tests: str, compiled: bool = False, why: str = ""
) -> Mutant:
    return Mutant(file, function, text, replacement, tests, compiled, why)


# -- The seven that no test had noticed when this list was begun, and Renju's.

SURVIVORS = [
    plant("learn/td.py", "learn", "else -run.lambda_", "else run.lambda_", *LEARN),
    plant(
        "compiled/fingerprint.py",
        "Walk._function",
        "for defaults in (function.__defaults__, function.__kwdefaults__):",
        "for defaults in (function.__kwdefaults__,):",
        "tests/test_fingerprint.py",
        "tests/test_compiled.py",
        compiled=True,
    ),
    plant(
        "engine/kernels/chance_nodes.py",
        "beyond",
        "if low >= beta:",
        "if high >= beta:",
        *DICE,
    ),
    plant(
        "engine/kernels/quiescence.py",
        "quiesce",
        "        if best >= beta:\n            bound = table.LOWER\n        elif best <= alpha:\n            bound = table.UPPER",
        "        if best >= beta:\n            bound = table.UPPER\n        elif best <= alpha:\n            bound = table.LOWER",
        "tests/test_survivors.py",
    ),
    plant(
        "engine/kernels/pvs.py",
        "null_move_may_cut",
        "beta <= run.best - STEP",
        "beta <= run.best",
        *PROOFS,
        why="no estimate reaches a beta beyond that, and the next condition asks for one that does",
    ),
    plant(
        "engine/kernels/uct.py",
        "select",
        "if work.exact[i, mover] >= run.best:\n                return i",
        "if False:\n                return i",
        *TREE,
    ),
    plant("engine/kernels/uct.py", "select", "3.0 * tried", "300.0 * tried", *TREE),
    plant(
        "games/renju.py",
        "judged",
        "game.steps[way]) == 0",
        "game.steps[way]) >= 0",
        "tests/test_games_gomoku.py",
    ),
]

# -- The book.

OF_THE_BOOK = [
    plant(
        "book/minimax.py",
        "minimax",
        "if game.to_move(state) == player:",
        "if game.to_move(state) != player:",
        *BOOK,
    ),
    plant("book/minimax.py", "minimax", "cut_off(state, ply)", "cut_off(state, ply + 1)", *BOOK),
    plant(
        "book/minimax.py",
        "minimax",
        "if v2 < v or not line:",
        "if v2 <= v or not line:",
        *BOOK,
        "tests/test_book_cs188.py",
    ),
    plant(
        "book/alpha_beta.py",
        "alpha_beta",
        "alpha = max(alpha, v)",
        "alpha = v",
        "tests/test_survivors.py",
    ),
    plant(
        "book/alpha_beta.py",
        "alpha_beta",
        "if v > beta or (v == beta and cut_on_equal):",
        "if v >= beta:",
        *BOOK,
    ),
    plant(
        "book/alpha_beta.py",
        "alpha_beta",
        "if v < alpha or (v == alpha and cut_on_equal):",
        "if v < alpha:",
        *BOOK,
    ),
    plant("book/alpha_beta.py", "alpha_beta", "beta = min(beta, v)", "beta = max(beta, v)", *BOOK),
    plant(
        "book/expectiminimax.py", "expectiminimax", "v += probability * v2", "v = probability * v2", *CHANCE
    ),
    plant("book/expectiminimax.py", "expectiminimax", "rounds == last_round", "rounds > last_round", *CHANCE),
    plant("book/max_n.py", "max_n", "v2[mover] > v[mover]", "v2[mover] >= v[mover]", *CHANCE),
    plant("book/max_n.py", "max_n", "x + probability * x2", "x + x2", *CHANCE),
    plant(
        "book/paranoid.py",
        "paranoid",
        "if mover == player:",
        "if mover != 1 - player:",
        *CHANCE,
    ),
    plant(
        "book/opponents.py",
        "opponents",
        "return max_value(action, state, ply, rounds + 1)",
        "return max_value(action, state, ply, rounds)",
        *CHANCE,
    ),
    plant("book/and_or.py", "and_or", "if state in path:", "if False:", "tests/test_book_plans.py"),
    plant(
        "book/depth_first.py",
        "depth_first",
        "reached[state] <= ply",
        "reached[state] >= ply",
        "tests/test_book_plans.py",
    ),
    plant(
        "book/sampled.py",
        "sampled",
        "min(most(ply, state), len(actions))",
        "len(actions)",
        "tests/test_book_sampled.py",
    ),
    plant("book/ordering.py", "best_first", "game.to_move(state) == player", "False", REFINED),
    plant("book/ordering.py", "width_rule", "min(ply, len(width) - 1)", "0", REFINED),
    plant("book/table.py", "Entry.suffices", "return self.value <= alpha", "return True", REFINED),
    plant("book/table.py", "Table.store", "self.second[place] = held", "pass", REFINED),
    plant(
        "book/transposition_table.py", "transposition_table", "known.depth >= bound - ply and ", "", REFINED
    ),
    plant(
        "book/transposition_table.py",
        "transposition_table",
        '"<=" if v <= alpha',
        '"=" if v <= alpha',
        REFINED,
    ),
    plant("book/quiescence.py", "quiescence", "biased if ply % 2 else 0", "biased", REFINED),
    plant("book/quiescence.py", "quiescence", "[STAND_PAT, *noisy]", "noisy", REFINED),
    plant("book/quiescence.py", "quiescence", "game.forcing and not ", "not ", REFINED),
    plant(
        "book/events.py", "", 'NOT_PART = ("lot", "quiet")', 'NOT_PART = ("lot", "quiet", "forward")', REFINED
    ),
    plant("book/events.py", "Node.relation", 'else "~"', 'else ">="', REFINED),
    plant("book/iterative_deepening.py", "iterative_deepening", "best = list(line)", "best = []", REFINED),
    plant("book/iterative_deepening.py", "iterative_deepening", "bound == last or ", "", REFINED),
    plant("book/star1.py", "star1", "(alpha - v - rest * high) / p", "(alpha - v - rest * low) / p", STARS),
    plant("book/star1.py", "star1", "min(v + rest * high, alpha)", "v", STARS),
    plant("book/star2.py", "star2", "known.least if maximising else", "known.most if maximising else", STARS),
    plant("book/star.py", "Outcomes.narrowed", "min(beta, most)", "min(beta, least)", STARS),
    plant("book/events.py", "_bound_chance", "-inf, inf", "value, value", STARS),
    plant("engine/book_search.py", "_Watched.cut", 'or kind == "quiet"', "", REFINED),
    plant("engine/book_search.py", "_Watched.iteration", "self.estimated = False", "pass", REFINED),
    plant(
        "book/strategies.py",
        "count_strategies",
        "len(below) * math.prod(below)",
        "math.prod(below)",
        "tests/test_book_strategies.py",
    ),
    plant(
        "book/best_pair.py",
        "_best_of_kept",
        "best.index(min(best))",
        "best.index(max(best))",
        "tests/test_book_strategies.py",
    ),
    plant(
        "book/best_pair.py",
        "_best_on_the_fly",
        "if best < least:",
        "if best <= least:",
        "tests/test_book_normal_form.py",
    ),
    plant(
        "book/best_pair.py",
        "_Pairs.outcome",
        "self.comparisons += 1",
        "self.comparisons += 2",
        "tests/test_book_normal_form.py",
    ),
    plant(
        "book/normal_form.py",
        "_outcome",
        ".limit_denominator(SMALLEST_ODDS)",
        "",
        "tests/test_book_normal_form.py",
    ),
    plant(
        "book/fictitious_play.py",
        "fictitious_play",
        "(row_counts @ table).argmin()",
        "(row_counts @ table).argmax()",
        "tests/test_book_matrix.py",
    ),
    plant(
        "book/regret_matching.py",
        "regret_matching",
        "column_regret += payoff - losses",
        "column_regret += losses - payoff",
        "tests/test_book_matrix.py",
    ),
    plant(
        "book/regret_matching.py",
        "_matched",
        "np.maximum(regret, 0)",
        "np.abs(regret)",
        "tests/test_book_matrix.py",
    ),
    plant(
        "book/repeated_play.py",
        "RepeatedPlay.regret",
        "(got - least) / rounds",
        "(got - best) / rounds",
        "tests/test_book_matrix.py",
    ),
]

# -- Rules of the games.

OF_THE_GAMES = [
    plant(
        "games/tic_tac_toe.py",
        "TicTacToe.is_terminal",
        "== 0o777",
        "== 0o776",
        "tests/test_games_tic_tac_toe.py",
    ),
    plant("games/tic_tac_toe.py", "TicTacToe.transposed", "<< 4", "<< 5", "tests/test_games_tic_tac_toe.py"),
    plant(
        "games/connect_four.py",
        "ConnectFour.four_in_a_row",
        "pairs >> 2 * step",
        "pairs >> step",
        "tests/test_games_connect_four.py",
    ),
    plant(
        "games/connect_four.py",
        "ConnectFour.candidates",
        "theirs >> 1",
        "theirs",
        "tests/test_survivors.py",
    ),
    plant(
        "games/connect_four.py",
        "ConnectFour.winning_cells",
        "(stones << 3 * step) | (stones >> step)",
        "(stones << 3 * step)",
        "tests/test_games_connect_four.py",
    ),
    plant(
        "games/connect_four.py",
        "ConnectFour.key",
        "mix(state.mine + state.filled)",
        "mix(state.filled)",
        "tests/test_games_connect_four.py",
    ),
    plant(
        "games/connect_four.py",
        "ConnectFour.mirrored",
        "(1 << size) - 1",
        "(1 << size - 1) - 1",
        "tests/test_games_connect_four.py",
        why="the highest of these bits, above the top of a column, is never set",
    ),
    plant(
        "games/kalah.py", "Kalah.result", "if last == self.houses:", "if False:", "tests/test_games_kalah.py"
    ),
    plant(
        "games/kalah.py",
        "Kalah.result",
        "if taken or self.empty_capture:",
        "if taken:",
        "tests/test_games_kalah.py",
    ),
    plant(
        "games/kalah.py",
        "Kalah.result",
        "% (2 * self.houses + 1)",
        "% (2 * self.houses + 2)",
        "tests/test_games_kalah.py",
    ),
    plant(
        "games/kalah.py",
        "Kalah.key",
        "<< 1 | state.player)\n        return",
        "<< 1)\n        return",
        "tests/test_games_kalah.py",
    ),
    plant("games/awari.py", "Awari.result", "and self.slam_takes_nothing", "", "tests/test_games_awari.py"),
    plant("games/awari.py", "Awari.taken", "& -2 != 2", "& -2 != 0", "tests/test_games_awari.py"),
    plant(
        "games/awari.py",
        "Awari.feeds",
        "house + seeds >= self.houses",
        "house + seeds > self.houses",
        "tests/test_games_awari.py",
    ),
    plant(
        "games/awari.py",
        "Awari.repetition_value",
        "if self.split else",
        "if not self.split else",
        "tests/test_games_awari.py",
    ),
    plant("games/awari.py", "Awari.sown", "+ rounds)", ")", "tests/test_games_awari.py"),
    plant(
        "games/othello.py",
        "Othello.utility",
        "lead += empty if lead > 0 else -empty",
        "lead += empty",
        "tests/test_games_othello.py",
    ),
    plant(
        "games/othello.py",
        "Othello.actions",
        "!= 0:\n            yield self.passing",
        "== 0:\n            yield self.passing",
        "tests/test_games_othello.py",
    ),
    plant(
        "games/othello.py",
        "Othello.is_terminal",
        "self.moves(state.theirs, state.mine) == 0",
        "True",
        "tests/test_games_othello.py",
    ),
    plant("games/goofspiel.py", "Goofspiel.result", "if first > second", "if first >= second", GOOFSPIEL),
    plant("games/goofspiel.py", "Goofspiel.result", "carried = worth", "carried = state.prize", GOOFSPIEL),
    plant("games/goofspiel.py", "Goofspiel._turned", "max(deck)", "deck[0]", GOOFSPIEL),
    plant("games/goofspiel.py", "Goofspiel._turned", "len(deck) > 1", "len(deck) > 2", GOOFSPIEL),
    plant(
        "games/goofspiel.py",
        "Goofspiel.identity",
        "*state[:4], state.points[0] - state.points[1]",
        "state[:4]",
        GOOFSPIEL,
    ),
    plant("games/goofspiel.py", "Goofspiel._check", "len(state.hands[1]) != left or ", "", GOOFSPIEL),
    plant("games/pig.py", "Pig.chance", "1 / 6", "1 / 7", "tests/test_games_pig.py"),
    plant("games/pig.py", "Pig.result", "if action == 1:", "if action == 2:", "tests/test_games_pig.py"),
    plant("games/pig.py", "Pig.is_terminal", ">= self.target", "> self.target", "tests/test_games_pig.py"),
    plant(
        "games/pirates.py",
        "Pirates.result",
        "2 * noes > self.pirates - captain",
        "2 * noes >= self.pirates - captain",
        "tests/test_games_pirates.py",
    ),
    plant("games/pirates.py", "Pirates.utility", "+ state.captain", "", "tests/test_games_pirates.py"),
    plant(
        "games/go.py", "Go.result", "== 1 and is_empty(both(near, mine))", "== 1", "tests/test_games_go.py"
    ),
    plant("games/go_board.py", "Board.legal", "without(mine, state.atari)", "mine", "tests/test_games_go.py"),
    plant(
        "games/go_board.py",
        "Board.areas",
        "either(black, without(reached, other))",
        "either(black, reached)",
        "tests/test_games_go.py",
    ),
    plant("games/go_board.py", "Board.group_in_atari", "> 1:", "> 2:", "tests/test_games_go.py"),
    plant(
        "games/chess.py",
        "Chess.king_targets",
        "left(occupied, 1) | right(occupied, 1)",
        "left(occupied, 1)",
        "tests/test_games_chess.py",
    ),
    plant("games/chess.py", "Chess.king_targets", "occupied ^ king", "occupied", "tests/test_games_chess.py"),
    plant(
        "games/chess.py",
        "Chess.may_capture_en_passant",
        "(pawn | passed | captured)",
        "(pawn | passed)",
        "tests/test_games_chess.py",
    ),
    plant(
        "games/chess.py",
        "Chess.plies_left",
        "FIFTY_MOVES - state.clock",
        "FIFTY_MOVES",
        "tests/test_games_chess.py",
    ),
    plant("games/chess.py", "Chess.has_insufficient_material", "<= 1:", "<= 2:", "tests/test_games_chess.py"),
    plant(
        "games/chess.py",
        "Chess.utility",
        "-1 if player == state.ply & 1 else 1",
        "1 if player == state.ply & 1 else -1",
        "tests/test_games_chess.py",
    ),
    plant("games/renju.py", "fours_in", "distance == 5", "distance == 4", "tests/test_games_gomoku.py"),
    plant("games/renju.py", "judged", "if run == 5:", "if run >= 5:", "tests/test_games_gomoku.py"),
]

# -- History, tables, values, bits, learning, guards.

AROUND = [
    plant(
        "history.py",
        "History._repeated",
        ">= self.game.repetitions",
        "> self.game.repetitions",
        "tests/test_history.py",
    ),
    plant("history.py", "History._position", "if self.game.superko or", "if", "tests/test_history.py"),
    plant(
        "history.py",
        "History._offends",
        "self._stood[self._position(child)] > 0",
        "self._stood[self._position(child)] > 1",
        "tests/test_history.py",
    ),
    plant("history.py", "History.utility", "forced = max(", "forced = min(", "tests/test_survivors.py"),
    plant("history.py", "History.undo", "-= 1", "-= 0", "tests/test_history.py"),
    plant("engine/table.py", "best_of", ") - 1", ")", "tests/test_table.py"),
    plant("engine/table.py", "pack", "(depth << 8)", "(depth << 7)", "tests/test_table.py"),
    plant(
        "engine/table.py",
        "grown",
        "places[1:] == places[:-1]",
        "places[1:] != places[:-1]",
        "tests/test_table.py",
    ),
    plant(
        "engine/value.py",
        "Value._rank",
        "-plies if self.lead > 0",
        "plies if self.lead > 0",
        "tests/test_score.py",
    ),
    plant(
        "engine/value.py", "Value.__neg__", "AT_LEAST: AT_MOST", "AT_LEAST: AT_LEAST", "tests/test_score.py"
    ),
    plant("engine/value.py", "Value.winning_chance", "0.5 + 0.5", "0.5 - 0.5", "tests/test_score.py"),
    plant("bits.py", "mix", "x ^ right(x, 31)", "x ^ right(x, 63)", "tests/test_bits.py"),
    plant("bits.py", "hash64", "value + 0.0", "value", "tests/test_bits.py"),
    plant("bits.py", "check_chain", "add(h, item)", "add(h, 0)", "tests/test_survivors.py", *SOLVE),
    plant("learn/td.py", "learn", "due = best if player == mover else -best", "due = best", *LEARN),
    plant("learn/td.py", "learn", "run.rate * (due - known)", "run.rate * (known - due)", *LEARN),
    plant("learn/td.py", "learn", "work.inward_trace[:] = 0", "pass", *LEARN),
    plant("learn/td.py", "trace", "held * held", "held", *LEARN),
    plant("learn/td.py", "preferred", "< run.random_moves", "> run.random_moves", *LEARN),
    plant(
        "learn/td.py",
        "preferred",
        "value = (game.utility(child, player) - run.draw)",
        "value = (game.utility(child, player))",
        *LEARN,
    ),
    plant(
        "learn/td.py",
        "preferred",
        "best = (game.utility(child, player) - run.draw)",
        "best = (game.utility(child, player))",
        *LEARN,
    ),
    plant(
        "neural_network.py", "_members", " or size != info.file_size - file.tell()", "", "tests/test_learn.py"
    ),
    plant(
        "neural_network.py",
        "_members",
        "sum(info.file_size for info in members) > LARGEST",
        "False",
        "tests/test_learn.py",
    ),
    plant(
        "cli/streams.py",
        "silence",
        "os.dup2(nowhere.fileno(), stream.fileno())",
        "pass",
        "tests/test_cli_streams.py",
    ),
    plant("learn/td.py", "fallen", "if place >= 0:", "if place >= 0.5:", "tests/test_dice.py"),
    plant("learn/td.py", "contest", "seat = run.games & 1", "seat = 0", *LEARN),
    plant("learn/td_leaf.py", "leaf", "work.rows[ply, i] = work.rows[ply + 1, i]", "pass", *LEARN),
    plant("learn/td_leaf.py", "leaf", "beta = min(beta, value)", "beta = value - 1.0", *LEARN),
    plant("learn/td_leaf.py", "learn_leaves", "1.0 - value * value", "1.0", *LEARN),
    plant("learn/td_leaf.py", "judged", "math.tanh(total)", "total", *LEARN),
    plant(
        "validation.py",
        "capped",
        "number >= MOST_ACTIONS",
        "False",
        "tests/test_game.py",
        "tests/test_check.py",
        "tests/test_zoo.py",
    ),
    plant(
        "validation.py",
        "checked_bounds",
        "low <= high",
        "True",
        "tests/test_trust.py",
    ),
    plant(
        "validation.py",
        "_array_in",
        "return name",
        'return ""',
        "tests/test_game.py",
        "tests/test_check.py",
        "tests/test_zoo.py",
    ),
    plant("blame.py", "culprit", "(*_searched(error), *states)", "states", "tests/test_blame.py"),
    plant("blame.py", "_raised_by_rule", "if isinstance(blamed, Wrapper):", "if False:", "tests/test_blame.py"),
    plant("validation.py", "chance_problem", "if not game.stochastic:", "if False:", "tests/test_blame.py"),
    plant(
        "models.py",
        "Modelled.to_move",
        "mover < 0 or mover >= self.game.players",
        "mover < 0",
        "tests/test_models.py::test_a_broken_game_is_to_blame_not_the_model",
    ),
    plant(
        "game_rules.py",
        "Rules.draw_value",
        "self.total / self.players",
        "self.total",
        "tests/test_game.py",
        *PROOFS,
    ),
    plant("arena.py", "_Table.play", "first = number % 2", "first = 0", "tests/test_arena.py"),
    plant("intervals.py", "wilson", "/ (4 * n * n)", "/ (2 * n * n)", "tests/test_arena.py"),
    plant(
        "matrix/simplex.py",
        "_Tableau._leaving",
        "if entry <= 0:",
        "if entry < 0:",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/simplex.py",
        "_Tableau._pivot",
        "changed[column] = -factor",
        "changed[column] = factor",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/simplex.py",
        "_Tableau._pivot",
        "if factor or pivot != denominator:",
        "if factor:",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/simplex.py",
        "solve",
        "- shift) / scale",
        "- shift)",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/dominance.py",
        "_dominator",
        "mine > yours for",
        "mine >= yours for",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/dominance.py",
        "_dominator",
        " and rows[i] != rows[index]",
        "",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/dominance.py",
        "_dominator",
        "if solution.value > 0:",
        "if solution.value >= 0:",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/game.py",
        "MatrixGame.saddle_points",
        "if lower.value != upper.value:",
        "if lower.value > upper.value:",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/game.py",
        "MatrixGame.extensive_form",
        'if first == "column":',
        "if False:",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/linear_program.py",
        "solve_in_floats",
        "* spread + low)",
        "* spread)",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/numbers.py",
        "_read",
        "Fraction(Decimal(repr(float(entry))))",
        "Fraction(float(entry))",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/numbers.py",
        "_read",
        'or re.search(r"/0+$", text)',
        "",
        "tests/test_matrix.py",
    ),
    plant(
        "matrix/reader.py",
        "_csv",
        "heading = heading[1:]",
        "heading = heading[:-1]",
        "tests/test_matrix.py",
    ),
    plant(
        "pathology/random_trees.py",
        "_minimax",
        "if level % 2 == 0 else",
        "if level % 2 == 1 else",
        "tests/test_pathology.py",
    ),
    plant(
        "pathology/random_trees.py",
        "random_trees",
        "(won > 0) & (won < branching)",
        "won < branching",
        "tests/test_pathology.py",
    ),
    plant(
        "pathology/noisy_games.py",
        "_Truth.matters",
        "> 1",
        "> 0",
        "tests/test_pathology.py",
    ),
    plant(
        "pathology/measured.py",
        "ErrorsByDepth.worse",
        "less < depth and ",
        "",
        "tests/test_pathology.py",
    ),
    plant(
        "pathology/leaves.py",
        "noisy_leaves",
        "if game.to_move(state) == player else",
        "if game.to_move(state) != player else",
        "tests/test_pathology.py",
    ),
    plant(
        "wrapper.py",
        "_by_player",
        "functions[player](payoff)",
        "functions[0](payoff)",
        "tests/test_utility.py",
    ),
    plant(
        "wrapper.py",
        "WithUtility.utility",
        "self.worth(self.game.utility(state, player), player)",
        "self.game.utility(state, player)",
        "tests/test_utility.py",
    ),
]

# -- Kernels of the engine.

OF_THE_ENGINE = [
    plant(
        "engine/kernels/transpositions.py",
        "record_score",
        "kept = 0  # it may rest on this clock",
        "pass",
        *PROOFS,
    ),
    plant(
        "engine/kernels/pvs.py",
        "known_score",
        "(ply + 1 - run.abrupt)",
        "(ply + 2 - run.abrupt)",
        *PROOFS,
        *ENGINE,
    ),
    plant(
        "engine/kernels/pvs.py",
        "terminal_score",
        'if game.has("plies_left") and game.plies_left(state) <= 0:',
        "if False:",
        *PROOFS,
    ),
    plant(
        "engine/kernels/pvs.py",
        "pvs",
        "if mover != 0 and mover != 1:",
        "if False:",
        "tests/test_trust.py",
        "tests/test_engine.py",
        "tests/test_zoo.py",
    ),
    plant(
        "engine/kernels/pvs.py",
        "completed",
        "run.inexact += 1  # a move left out might be better: a loss by all the others proves nothing",
        "pass",
        *PROOFS,
        *ENGINE,
    ),
    plant(
        "engine/kernels/pvs.py",
        "completed",
        "return max(best, from_table(run.worst + STEP, ply * run.prefer_quick))",
        "return best",
        *PROOFS,
        *ENGINE,
    ),
    plant(
        "engine/kernels/pvs.py",
        "reduction",
        "run.inexact += 1\n        return 1 + (i > 7)",
        "return 1 + (i > 7)",
        *PROOFS,
        *ENGINE,
        why="an action is searched again at full depth unless it fails low, and what fails low at less depth rests on a horizon of its own or on terminal states alone",
    ),
    plant(
        "engine/kernels/transpositions.py",
        "record_score",
        "run.inexact == inexact and run.paths == paths",
        "run.inexact == inexact",
        *PROOFS,
    ),
    plant(
        "engine/kernels/transpositions.py",
        "record_score",
        "kept = 0  # it may rest on a repetition",
        "pass  # it may rest on a repetition",
        *PROOFS,
    ),
    plant(
        "engine/kernels/transpositions.py",
        "record_score",
        "to_table(best, ply * run.prefer_quick)",
        "best",
        *PROOFS,
        *ENGINE,
    ),
    plant(
        "engine/kernels/pvs.py",
        "null_move_may_cut",
        "if game.is_terminal(other) or game.to_move(other) == mover:",
        "if game.to_move(other) == mover:",
        *PROOFS,
        *ENGINE,
    ),
    plant(
        "engine/kernels/transpositions.py",
        "cutoff_score",
        "and score >= beta and holds(game, child, data, run)",
        "and score >= beta",
        *PROOFS,
    ),
    plant(
        "engine/kernels/transpositions.py",
        "cutoff_score",
        "score = -score\n                    wanted = table.UPPER",
        "score = -score",
        *PROOFS,
        *ENGINE,
    ),
    plant("engine/kernels/transpositions.py", "holds", "table.age_of(data) != run.age", "False", *PROOFS),
    plant(
        "engine/kernels/transpositions.py",
        "holds",
        "<= game.plies_left(state)",
        "<= game.plies_left(state) + 1",
        *PROOFS,
    ),
    plant("engine/kernels/transpositions.py", "holds", "run.prefer_quick and ", "", *PROOFS),
    plant("engine/kernels/transpositions.py", "holds", " + run.abrupt", "", *PROOFS),
    plant("engine/kernels/transpositions.py", "credit", "or not lasting", "", *PROOFS),
    plant(
        "engine/kernels/repetitions.py",
        "position",
        "if not game.superko:",
        "if game.superko:",
        *PROOFS,
        "tests/test_games_go.py",
    ),
    plant("engine/kernels/repetitions.py", "recurred", "if run.lenient:", "if False:", *PROOFS),
    plant(
        "engine/kernels/quiescence.py",
        "evaluated",
        "if mover == run.root_player else -run.bias",
        "if mover != run.root_player else -run.bias",
        "tests/test_trust.py",
    ),
    plant(
        "engine/kernels/transpositions.py",
        "lookup",
        "not game.exact_key and proves(data, run)",
        "False",
        *PROOFS,
        *SOLVE,
        *ENGINE,
    ),
    plant(
        "engine/kernels/transpositions.py",
        "verification_key",
        "bits.check64(game.identity(state))",
        "0",
        *PROOFS,
    ),
    plant(
        "engine/kernels/move_ordering.py",
        "generate",
        "if count == 0 or count > MOST_ACTIONS:",
        "if False:",
        "tests/test_engine.py",
        "tests/test_zoo.py",
    ),
    plant(
        "engine/score.py",
        "final",
        "if not (run.low <= utility and utility <= run.high):",
        "if False:",
        "tests/test_engine.py",
        "tests/test_zoo.py",
        "tests/test_score.py",
    ),
    plant(
        "engine/score.py",
        "estimated",
        "if not (run.least <= value and value <= run.most):",
        "if False:",
        "tests/test_engine.py",
        "tests/test_zoo.py",
        "tests/test_score.py",
    ),
    plant("engine/score.py", "measured", "if utility >= run.high:", "if False:", "tests/test_score.py"),
    plant("engine/score.py", "is_final", "run.best - HALF", "run.best + HALF", "tests/test_score.py"),
    plant("engine/score.py", "set_coarse", "math.ceil", "math.floor", "tests/test_score.py"),
    plant("engine/score.py", "set_scale", "total / 2", "total", "tests/test_score.py", *PROOFS),
    plant("engine/kernels/repetitions.py", "doubted", " or game.superko", "", *PROOFS),
    plant("engine/kernels/repetitions.py", "doubted", " or abs(score) != run.best - ply - 1", "", *PROOFS),
    plant(
        "engine/kernels/repetitions.py",
        "is_barred",
        "    there = position",
        "    if game.is_terminal(state):\n        return False\n    there = position",
        *PROOFS,
    ),
    plant(
        "engine/alpha_beta.py",
        "AlphaBeta._begin",
        "self._grow_older([*job.previous, job.state])",
        "self._grow_older(job.previous)",
        *PROOFS,
    ),
    plant(
        "engine/root_search.py",
        "RootSearch._count_plies",
        'if game.cycles and game.has("repetition_key"):',
        "if False:",
        *PROOFS,
    ),
    plant(
        "engine/kernels/expectiminimax.py",
        "expectiminimax",
        "max(low, beta)",
        "max(high, beta)",
        *DICE,
        *EXPECTED,
    ),
    plant(
        "engine/kernels/expectiminimax.py",
        "expectiminimax",
        "min(high, alpha)",
        "min(low, alpha)",
        *DICE,
        *EXPECTED,
    ),
    plant(
        "engine/kernels/expectiminimax.py",
        "table_value",
        "SOLVED and not game.cycles",
        "SOLVED",
        *EXPECTED,
        *DICE,
    ),
    plant(
        "engine/kernels/chance_nodes.py",
        "chance_value",
        "work.odds[i] * work.worth[i]",
        "work.worth[i] / count",
        *DICE,
    ),
    plant(
        "engine/kernels/expectiminimax.py",
        "record_value",
        "if run.inexact == inexact:",
        "if True:",
        *DICE,
        *EXPECTED,
    ),
    plant(
        "engine/kernels/repetitions.py",
        "repeated",
        "if run.superko == 0 and",
        "if",
        "tests/test_chance_proofs.py",
    ),
    plant(
        "engine/kernels/max_n.py",
        "max_n",
        "run.sum + run.slack - best",
        "run.sum + run.slack - 2 * best",
        "tests/test_engine_chance.py",
        *SHARED,
    ),
    plant(
        "engine/kernels/max_n.py",
        "max_n",
        "if work.payoffs[ply + 1, mover] > best:",
        "if work.payoffs[ply + 1, mover] >= best:",
        "tests/test_engine_chance.py",
        *SHARED,
    ),
    plant(
        "engine/kernels/max_n.py",
        "max_n",
        "if mover < CHANCE or mover >= players:",
        "if False:",
        "tests/test_engine_chance.py",
        "tests/test_zoo.py",
        compiled=True,
    ),
    plant(
        "engine/kernels/depth_first.py",
        "seen_before",
        "work.left[place] >= left",
        "work.left[place] <= left",
        "tests/test_engine_puzzle.py",
        *ALONE,
    ),
    plant(
        "engine/kernels/depth_first.py",
        "note_end",
        "if utility > run.best:",
        "if utility >= run.best:",
        "tests/test_engine_puzzle.py",
        *ALONE,
        why="of equally good ends any will do: the shortest way to one is looked for afterwards",
    ),
    plant("engine/kernels/depth_first.py", "stood", "work.previous[i] == here", "False", *ALONE),
    plant(
        "engine/depth_first.py",
        "DepthFirst._shorten",
        "run.missed < self._utility",
        "run.missed <= self._utility",
        "tests/test_engine_puzzle.py",
    ),
    plant(
        "engine/kernels/proof_number.py",
        "numbers",
        "most = min(most + more, NEVER - 1)",
        "most = min(most + more, NEVER)",
        "tests/test_proof.py",
        *PROVED,
        why="numbers never come near to 2^18 in positions that are small enough to be proved",
    ),
    plant(
        "engine/kernels/proof_number.py",
        "numbers",
        "if least == 0:\n        most = NEVER",
        "if least == 0:\n        most = 1",
        "tests/test_proof.py",
        *PROVED,
    ),
    plant(
        "engine/kernels/proof_number.py",
        "appraise",
        "table.best_of(data) == run.attacker",
        "True",
        "tests/test_proof.py",
        *PROVED,
    ),
    plant(
        "engine/kernels/proof_number.py",
        "threaten",
        "if game.is_quiet(state):\n            return 0",
        "if game.is_quiet(state):\n            return 1",
        "tests/test_proof.py",
        "tests/test_games_gomoku.py",
    ),
    plant(
        "engine/kernels/uct.py",
        "came_before",
        "if run.superko and work.path[end - 1] == here:",
        "if False:",
        *TREE,
        *GROWN,
    ),
    plant(
        "engine/kernels/backup.py",
        "back_up",
        "known != NOTHING and work.exact[known, mover] > payoff",
        "False",
        *TREE,
    ),
    plant(
        "engine/kernels/uct.py", "drawn", "fraction(run) * total", "0.5 * total", *TREE, "tests/test_dice.py"
    ),
    plant(
        "engine/kernels/uct.py",
        "expand",
        "if not abs(total - 1) <= ROUNDING:",
        "if False:",
        "tests/test_monte_carlo_trust.py",
    ),
    plant(
        "engine/kernels/uct.py",
        "grow",
        "if mover < CHANCE or mover >= game.players:",
        "if False:",
        "tests/test_monte_carlo_trust.py",
    ),
    plant(
        "engine/alpha_beta.py",
        "AlphaBeta._begin",
        "self._grow_older([*job.previous, job.state])",
        "self._grow_older(job.previous)",
        "tests/test_trust.py",
    ),
]

# -- Simultaneous moves.

OF_MOVES_AT_ONCE = [
    plant("game_rules.py", "Rules._from_choices", "if self.is_terminal(state):", "if False:", AT_ONCE),
    plant("game_rules.py", "Rules._from_choices", "elif mover == CHANCE:", "elif False:", AT_ONCE),
    plant(
        "needs.py", "Needs.refusal", "if game.simultaneous and not self.simultaneous:", "if False:", AT_ONCE
    ),
    plant(
        "needs.py", "Needs.refusal", "if self.simultaneous and not game.simultaneous:", "if False:", AT_ONCE
    ),
    plant("book/backward_induction.py", "backward_induction", "if same in known:", "if False:", AT_ONCE),
    plant(
        "book/backward_induction.py", "backward_induction", "v > best if kind", "v < best if kind", AT_ONCE
    ),
    plant("book/backward_induction.py", "backward_induction", "probability * value", "value", AT_ONCE),
    plant(
        "book/backward_induction.py",
        "backward_induction",
        "game.choices(state, 1 - player)",
        "game.choices(state, player)",
        AT_ONCE,
    ),
    plant(
        "book/backward_induction.py",
        "_joint",
        "(mine, theirs) if player == 0 else (theirs, mine)",
        "(mine, theirs)",
        AT_ONCE,
        GOOFSPIEL,
    ),
    plant("book/backward_induction.py", "fractions", " or not near", "", AT_ONCE),
    plant(
        "engine/book_search.py",
        "_Watched.leaf",
        '("terminal", "known", "table")',
        '("terminal", "known", "table", "depth")',
        AT_ONCE,
    ),
    plant("engine/book_search.py", "_Watched.leaf", '"known", "table")', '"table")', AT_ONCE),
    plant("players.py", "taken", "if mover == SIMULTANEOUS:", "if False:", AT_ONCE),
    plant(
        "players.py",
        "BookPlayer.choose_at_once",
        "player=player, depth=self.depth",
        "player=0, depth=self.depth",
        AT_ONCE,
    ),
    plant(
        "engine/result.py", "drawn", "mixed_strategies(found)[player]", "mixed_strategies(found)[0]", AT_ONCE
    ),
    plant("check/examiner.py", "Examiner._check_choices", "!= together", "== 0", AT_ONCE),
    plant(
        "terminal/session.py",
        "Session._choose_together",
        "if len(self.people) == 1 else",
        "if self.people else",
        AT_ONCE,
    ),
    plant("terminal/screen.py", "Screen.ask_secretly", 'print("…")', "print(answer)", AT_ONCE),
    plant("terminal/session.py", "Session._choose_together", "if len(choices) == 1:", "if False:", AT_ONCE),
    plant(
        "web/position.py",
        "Position.play_together",
        "if len(choices) != game.players:",
        "if False:",
        PAGE_AT_ONCE,
    ),
    plant(
        "web/search_request.py",
        "SearchRequest._choice",
        "drawn(found, player, ",
        "drawn(found, 0, ",
        PAGE_AT_ONCE,
    ),
]

# -- Trees that are searched best first.

BEST_FIRST = "tests/test_book_best_first.py"

OF_BEST_FIRST = [
    plant("book/mcts.py", "confidence_bounds", "sign = 1 if", "sign = -1 if", BEST_FIRST),
    plant("book/mcts.py", "confidence_bounds", "log(node.visits)", "log(child.visits)", BEST_FIRST),
    plant("book/mcts.py", "chosen", "max if node.kind", "min if node.kind", BEST_FIRST),
    plant("book/mcts.py", "mcts", "node.ply < bound", "True", BEST_FIRST),
    plant("book/mcts.py", "mcts", "node = node.parent", "node = None", BEST_FIRST),
    plant(
        "book/mcts.py", "drawn", "rng.choices(outcomes, probabilities)", "rng.choices(outcomes)", BEST_FIRST
    ),
    plant(
        "book/mcts.py", "most_visited", "(child.visits, sign * child.mean)", "sign * child.mean", BEST_FIRST
    ),
    plant(
        "book/proof_number.py", "proof_number", 'if node.kind == "or":', 'if node.kind == "and":', BEST_FIRST
    ),
    plant(
        "book/proof_number.py", "proof_number", '"proof" if node.kind', '"disproof" if node.kind', BEST_FIRST
    ),
    plant("book/proof_number.py", "proof_number", " and count < nodes", "", BEST_FIRST),
    plant("book/tracing.py", "Tracer.add", "[self._places[node.parent]]", "[self._path[0]]", BEST_FIRST),
    plant("engine/book_search.py", "BookSearch._steps", "given *= 2", "given += 1", BEST_FIRST),
    plant("draw/known.py", "changes", "_replace(open=True)", "_replace(value='')", BEST_FIRST),
]

PLANTED = [
    *SURVIVORS,
    *OF_THE_BOOK,
    *OF_THE_GAMES,
    *AROUND,
    *OF_THE_ENGINE,
    *OF_MOVES_AT_ONCE,
    *OF_BEST_FIRST,
]
