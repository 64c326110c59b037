"""The root of alpha-beta: iterative deepening, windows, proofs, and the principal variation.

Iterative deepening: Slate and Atkin, Chess 4.5, 1977. Aspiration windows: see the chess programming wiki.
MTD(f): Plaat, Schaeffer, Pijls and de Bruin, Best-First Fixed-Depth Minimax Algorithms, 1996.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plies.engine import table as tables
from plies.engine.job import Job
from plies.engine.kernels.repetitions import position
from plies.engine.kernels.transpositions import lookup, table_key
from plies.engine.options import Options
from plies.engine.result import SearchResult, rests_on
from plies.engine.root_children import RootChildren
from plies.engine.runner import INFINITY
from plies.engine.score import from_table, is_final, margin
from plies.engine.value import AT_LEAST, AT_MOST, EXACT, Value
from plies.engine.worker import Worker
from plies.game import Action, State

MOST_WINDOWS = 100
"""The most windows of MTD(f) before it falls back on an open one: with cycles, a score by way of a repetition
may change by a ply each time and hardly converge. Not tuned."""


@dataclass(frozen=True)
class RootMove:
    """An action at the root, with its score to the player to move."""

    action: Action
    score: int = -INFINITY
    bound: str = EXACT
    solved: bool = False
    """Whether the score rests on terminal states alone."""
    counted: bool = False
    """Whether the score uses none of another path or clock, which might hide a quicker end."""


class RootSearch:
    """Iterative deepening at the root, by one worker."""

    def __init__(self, job: Job, worker: Worker, options: Options, start_depth: int = 1) -> None:
        self.job, self.worker, self.options, self.start_depth = job, worker, options, start_depth
        self.record, self.symmetry = worker.run, int(worker.run.symmetry)
        self.children = RootChildren(job, worker, options)
        self.roots = [RootMove(action) for action in self._considered()]
        self.failed: list[RootMove] = []  # the bounds by the last window that failed low
        self.depth = 0
        self.player = job.player

    def _considered(self) -> list[Action]:
        """The actions to search: all, or the first ones by order, as many as the beam is wide."""
        game, options, state = self.job.game, self.options, self.job.state
        width = max(options.beam, self.job.lines)
        if not options.beam or width >= len(self.job.actions):
            return self.job.actions
        actions = list(game.candidates(state)) if options.candidates else self.job.actions

        def promise(action: Action) -> tuple[float, float]:
            """As in the kernel: by priority, then by evaluation, each if it is on."""
            child = self.children.state(action)
            return (
                -game.priority(state, action) if options.priority else 0,
                -self.worker.evaluate(child, self.job.player) if options.child_order else 0,
            )

        actions = sorted(actions, key=promise)
        return [action for action in actions if action in self.job.actions][:width]

    def _consider_all(self) -> None:
        """Add the actions outside the beam: all in it lose."""
        known = {root.action for root in self.roots}
        self.roots += [RootMove(action) for action in self.job.actions if action not in known]

    def run(self) -> Iterator[None]:
        """Iterative deepening; yields each time `result` has changed."""
        last = min(self.job.limit.depth or INFINITY, int(self.record.last_ply) + 1)
        yield
        for depth in range(self.start_depth, last + 1):
            before, horizon = self.roots, int(self.record.horizon)
            complete = self._search_root(depth)
            if complete:
                self.depth = depth
                self._count_plies()
                if self.record.horizon == horizon and self._is_pruned():
                    self.worker.search_exactly()
            if complete or self.roots is not before:
                yield
            if not complete or self._finished():
                return
            if is_final(self.roots[0].score, self.record) and self.roots[0].score < 0:
                self._consider_all()
            if self.worker.outgrown:
                self.worker.enlarge_table()

    def _is_pruned(self) -> bool:
        """Whether a search that met no depth bound, and sees the game to its end, has only left moves out.

        Then the next search, to the same end, leaves out nothing, and proves the value. Not with a beam,
        which is there to leave moves out.
        """
        game, state = self.job.game, self.job.state
        if self.record.exact or not self.options.inexact or self.options.beam or self._proved():
            return False
        for action in self._line(self.roots[0].action):
            state = game.result(state, action)
        return game.is_terminal(state)

    def _search_root(self, depth: int) -> bool:
        """Search all actions to a depth; False if stopped.

        Aspiration: from depth 3 on, a window around the last score; a side that fails gets four times as wide
        and, from a 16th of the range of scores on, is opened. Not tuned.
        """
        guess = self.roots[0].score
        options = self.options
        if depth < 3 or guess == -INFINITY or self.job.lines > 1:
            return self._window(depth, -INFINITY, INFINITY) is not None
        if options.driver == "mtd(f)":
            return self._null_windows(depth, guess)
        if not options.aspiration:
            return self._window(depth, -INFINITY, INFINITY) is not None
        widest = max(1, int(self.record.best - self.record.worst) >> 6)
        width = min(widest, margin(options.aspiration_width, self.record) or widest)
        alpha, beta = guess - width, guess + width
        while (score := self._window(depth, alpha, beta)) is not None:
            if alpha < score < beta:
                return True
            width = 4 * width if width < widest else INFINITY
            alpha = max(-INFINITY, score - width) if score <= alpha else alpha
            beta = min(INFINITY, score + width) if score >= beta else beta
        return False

    def _null_windows(self, depth: int, guess: int) -> bool:
        """MTD(f): converge on the score by null windows."""
        low, high = -INFINITY, INFINITY
        windows = 0
        while low < high:
            windows += 1
            if windows > MOST_WINDOWS:
                return self._window(depth, -INFINITY, INFINITY) is not None
            beta = max(guess, low + 1)
            score = self._window(depth, beta - 1, beta)
            if score is None:
                return False
            guess = score
            if guess < beta:
                high = guess
            else:
                low = guess
        first, *others = self.roots
        most = {root.action: root for root in self.failed}
        solved = first.solved and most[first.action].solved
        counted = first.counted and most[first.action].counted
        first = RootMove(first.action, guess, EXACT, solved, counted)
        self.roots = [first, *(most[root.action] for root in others)]
        return True

    def _window(self, depth: int, alpha: int, beta: int) -> int | None:
        """Search all actions in a window, the best so far first: the best score, or None if stopped.

        If all fail low, their order and scores stay as they were.
        """
        run, lines = self.record, self.job.lines
        done: list[RootMove] = []
        best: list[int] = []  # the scores of the best `lines` actions, highest first
        for i, root in enumerate(self.roots):
            low = max(alpha, best[lines - 1]) if len(best) >= lines else alpha
            child = self.children.state(root.action)
            inexact, borrowed = int(run.inexact), int(run.borrowed)
            narrow = i >= lines and self.options.null_window
            less = self.children.reduction(root.action, i - lines, depth) if narrow else 0
            score = self._score(root.action, child, low, low + 1 if narrow else beta, depth - less)
            if less and score > low and not run.stop:
                score = self._score(root.action, child, low, low + 1, depth)
            if narrow and low < score < beta and not run.stop:
                score = self._score(root.action, child, low, beta, depth)
            if run.stop:
                self._keep_partial(done)
                return None
            bound = AT_MOST if score <= low else AT_LEAST if score >= beta else EXACT
            solved, counted = int(run.inexact) == inexact, int(run.borrowed) == borrowed
            done.append(RootMove(root.action, score, bound, solved, counted))
            best = sorted([*best, score], reverse=True)[:lines]
            if score >= beta:
                break
        if best[0] > alpha:
            left = self.roots[len(done) :]
            done.sort(key=lambda root: (root.score, root.bound != AT_MOST), reverse=True)
            self.roots = done + [RootMove(root.action) for root in left]
        else:
            self.failed = done
        return best[0]

    def _keep_partial(self, done: list[RootMove]) -> None:
        """Stopped: a result of this depth counts only if it beats the best action so far."""
        better = [root for root in done[1:] if root.bound == EXACT and root.score > done[0].score]
        if better:
            first = max(better, key=lambda root: root.score)
            others = [root for root in self.roots if root.action != first.action]
            self.roots = [first, *others]

    def _score(self, action: Action, child: State, alpha: int, beta: int, depth: int) -> int:
        return self.worker.score(action, child, self.player, alpha, beta, depth - 1, 1)

    # -- Proofs.

    def _is_proved(self, root: RootMove) -> bool:
        """Whether a score, or a bound, is proved."""
        return root.score != -INFINITY and (root.solved or self._is_final(root))

    def _proved(self) -> bool:
        """Whether the score of the best action is the value of the position."""
        best = self.roots[0]
        if not self._is_proved(best):
            return False
        if best.score > 0 and self._is_final(best):  # nothing can be better
            return True
        # No other may be better: neither one outside the beam, nor one that was only estimated.
        return len(self.roots) == len(self.job.actions) and all(map(self._is_proved, self.roots))

    def needs_zoom(self) -> bool:
        """Whether the value is proved, except that several utilities share its score."""
        return self._proved() and not self.record.stop and self._utility(self.roots[0]) is None

    def _finished(self) -> bool:
        """Whether all lines are proved, and their plies are known or searched for to twice their depth."""
        best = self.roots[0]
        asked = self.roots[: self.job.lines]
        if not self._proved() or not all(root.bound == EXACT and self._is_proved(root) for root in asked[1:]):
            return False
        return self._quickest() or self.depth >= 2 * self.worker.plies(best.score)

    def _is_final(self, root: RootMove) -> bool:
        """Whether a score, or a bound, is that of a sure win or loss."""
        if not is_final(root.score, self.record):
            return False
        return root.bound != (AT_MOST if root.score > 0 else AT_LEAST)

    def _counted(self, root: RootMove) -> bool:
        """Whether an action that wins or loses takes exactly the plies of its score."""
        return root.solved or root.bound != EXACT or self._hides_nothing(root, root)

    def _quickest(self) -> bool:
        """Whether the best action takes exactly the plies of its score and, if it wins, none is quicker."""
        best, *others = self.roots
        if not self._counted(best) or (best.score > 0 and len(self.roots) < len(self.job.actions)):
            return False
        return best.score < 0 or all(other.solved or self._hides_nothing(other, best) for other in others)

    def _hides_nothing(self, root: RootMove, best: RootMove) -> bool:
        """Whether no quicker end than the best action's can be hidden behind an action.

        Beyond the depth searched, deeper table entries or quiescence search may find a slow win before a
        quick one. So may a search that used scores of other paths.
        """
        within = self.worker.plies(best.score) <= self.depth
        return within and root.counted and not self.options.inexact

    def _count_plies(self) -> None:
        """Where scores of other paths may hide a quicker win or loss than the one proved, search for it.

        Without repetitions, which draw: whoever wins wins at least as quickly if there are none.
        """
        best = self.roots[0]
        hidden = not all(root.counted or root.solved for root in self.roots)
        if not (hidden and self._proved() and is_final(best.score, self.record)):
            return
        if self.job.game.superko:  # plies are not reported, see `Worker.distance`
            return
        plies = self.worker.plies(best.score)
        if plies > self.depth or self.options.inexact or best.bound != EXACT:
            return
        # A win: is any action better by a ply? A loss: does the best action last as long?
        window = (best.score, best.score + 1) if best.score > 0 else (best.score - 1, best.score)
        looked_at = self.roots if best.score > 0 else self.roots[:1]
        borrowed, run = int(self.record.borrowed), self.record
        with self.worker.free():
            for root in looked_at:
                child = self.children.state(root.action)
                score = self._score(root.action, child, *window, plies - 1)
                if run.stop or run.borrowed != borrowed:
                    return
                if (score > best.score) if best.score > 0 else (score < best.score):
                    return  # the next depth will find it
        self.roots = [replace(root, counted=True) for root in self.roots]

    def _utility(self, root: RootMove) -> float | None:
        """The utility of a proved score, as the game computes it; None if several share the score."""
        utility = self.worker.utility(root.score, self.player)
        if utility is None or self.job.game.total == 0 or self.player == 0 or root.bound != EXACT:
            return utility
        # It was computed from the total, with rounding: if the end of the line is known, ask the game.
        game, end = self.job.game, self.job.state
        for action in self._line(root.action):
            end = game.result(end, action)
        if game.is_terminal(end) and 2 * self.record.even - game.utility(end, 0) == utility:
            return float(game.utility(end, self.player))
        return utility

    def _value(self, root: RootMove, proved: bool, counted: bool) -> Value:
        game = self.job.game
        if root.score == -INFINITY:
            return Value.of(game, game.draw_value)
        utility = self._utility(root) if proved else None
        if utility is None:
            return Value.of(game, self.worker.estimate(root.score), bound=root.bound)
        plies = self.worker.distance(root.score, utility) if counted else None
        return Value.of(game, utility, True, plies, root.bound)

    def result(self, runs: Sequence[Any]) -> SearchResult:
        """The result so far; its counters are the sums over all threads."""
        best, *others = self.roots
        known = [best, *(root for root in others if root.score != -INFINITY)]
        lines = [self._line(root.action) for root in known[: self.job.lines]]
        return SearchResult(
            action=best.action,
            value=self._value(best, self._proved(), self._quickest()),
            line=list(lines[0]),
            depth=self.depth,
            nodes=sum(int(run.nodes) for run in runs),
            seconds=self.job.seconds,
            hits=sum(int(run.hits) for run in runs),
            cuts=sum(int(run.cuts) for run in runs),
            first_cuts=sum(int(run.first_cuts) for run in runs),
            scores={
                root.action: self._value(root, self._is_proved(root), self._counted(root))
                for root in known
                if root.score != -INFINITY
            },
            lines=lines,
            algorithm="alpha-beta",
            rests_on=rests_on(self.job.game),
            game=self.job.game,
            state=self.job.state,
        )

    def _line(self, action: Action) -> list[Action]:
        """The principal variation, by the table, up to a repetition on it."""
        game, line, passed = self.job.game, [action], set()
        state = self.children.state(action)
        while self.record.table and len(line) < self.depth and not game.is_terminal(state):
            action = self._remembered(state, len(line))
            if action is None:
                break
            line.append(action)
            state = game.result(state, action)
            if game.cycles:
                key = position(game, state, game.to_move(state))
                if key in passed:
                    break
                passed.add(key)
        return line

    def _remembered(self, state: State, ply: int) -> Action | None:
        """The best action by the table entry of a state, or else of one of its images."""
        for image in self._images(state):
            child = self._best_child(image, ply)
            if child is not None:
                for action in self.job.game.actions(state):
                    if child in self._images(self.job.game.result(state, action)):
                        return action
        return None

    def _best_child(self, state: State, ply: int) -> State | None:
        """The state that the best action leads to, by its table entry."""
        game, run = self.job.game, self.record
        data = self._entry(state, ply)
        actions = list(game.candidates(state) if run.candidates else game.actions(state))
        if ply > self.symmetry:
            known = 0 <= tables.best_of(data) < len(actions)
            return game.result(state, actions[tables.best_of(data)]) if known else None
        # Images share an entry, which does not say for which one its best action is: compare scores.
        mover = game.to_move(state)
        for child in (game.result(state, action) for action in actions):
            if game.is_terminal(child):
                score = self.worker.end(child, mover, 1)
                bound = tables.EXACT
            else:
                entry = self._entry(child, ply + 1)
                score, bound = (
                    from_table(tables.score_of(entry), int(run.prefer_quick)),
                    tables.bound_of(entry),
                )
                score = score if game.to_move(child) == mover else -score
            if data != tables.NOTHING and bound == tables.EXACT and score == tables.score_of(data):
                return child
        return None

    def _images(self, state: State) -> list[State]:
        return list(self.job.game.symmetries(state)) if self.symmetry else [state]

    def _entry(self, state: State, ply: int) -> int:
        key = table_key(self.job.game, state, ply, self.record)
        return lookup(self.job.game, state, key, ply, self.record, self.worker.work)
