"""The engine for two players against each other: iterative deepening as a stream of infos."""

from __future__ import annotations

import threading
import time as clock
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from plies.engine import table as tables
from plies.engine.background import Channel, Turns
from plies.engine.kernels.pvs import TASKS, lookup, position, table_key
from plies.engine.limit import DEFAULT, Limit
from plies.engine.options import Options
from plies.engine.result import SearchResult, rests_on
from plies.engine.root import checked_lines, root_actions
from plies.engine.score import from_table, is_final
from plies.engine.value import AT_LEAST, AT_MOST, EXACT, Value
from plies.engine.worker import INFINITY, Rescaled, Worker, start
from plies.errors import BadParameter
from plies.game import Action, Game, State
from plies.validation import require

MOST_WINDOWS = 100
"""How often MTD(f) tries. Where positions come up again, a score that leads round in a circle may change by a
ply each time, and hardly get anywhere."""


@dataclass(frozen=True)
class _Rooted:
    """What is known of an action at the root."""

    action: Action
    score: int = -INFINITY
    bound: str = EXACT
    solved: bool = False
    """Whether the score rests on ends of the game alone."""
    counted: bool = False
    """Whether no score of another path or clock was taken for it, which may hide a quicker end."""


class AlphaBeta:
    """Searches one game, and remembers between its moves what it has found.

    `memory` is the size of the transposition table in megabytes; `threads` search together on it.
    """

    def __init__(
        self, game: Game, *, memory: float = 64, threads: int = 1, options: Options | None = None
    ) -> None:
        require(game, "alpha-beta", players=2, zero_sum=True, deterministic=True)
        if not isinstance(threads, int) or not 1 <= threads <= 256:
            raise BadParameter(f"threads must be a number from 1 to 256, not {threads!r}")
        self.game = game
        self.options = Options(**game.refinements) if options is None else options
        shared = tables.new(memory) if threads > 1 else None
        tasks = np.zeros(TASKS + 1, np.int64) if threads > 1 else None
        self.workers = [Worker(game, self.options, memory, shared, tasks) for _ in range(threads)]
        self._age = 0
        self._past: Counter[int] = Counter()
        self._turns = Turns()
        self._running: _Job | None = None

    def search(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> SearchResult:
        """The best action, and what else was found out about the position: the last of `analyse`."""
        *_, found = self._stream(state, limit, lines, previous, every_depth=False)
        return found

    def analyse(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> Iterator[SearchResult]:
        """What has been found after each completed depth, until a limit, `stop` or Ctrl-C ends the search.

        `lines` actions get an exact value, the others a bound. `previous` are the positions the game has been
        through, where it matters if they come up again. Callers in several threads are served in turn.
        """
        return self._stream(state, limit, lines, previous, every_depth=True)

    def _stream(
        self,
        state: State | None,
        limit: Limit | None,
        lines: int,
        previous: Sequence[State],
        every_depth: bool,
    ) -> Iterator[SearchResult]:
        with self._turns.turn(self.stop) as turn:
            job = self._job(state, limit or DEFAULT, lines, previous)
            job.every_depth = every_depth
            job.over = turn.over
            yield from job.stream(turn.stop)

    def clear(self) -> None:
        """Empty the table: what earlier searches have found is lost."""
        for worker in self.workers:
            worker.clear()

    def stop(self) -> None:
        """End the search under way, which then gives the best it has; may be called from any thread."""
        for worker in self.workers:
            worker.stop()

    def ponder(self, state: State, previous: Sequence[State] = ()) -> None:
        """Think about a position, on the opponent's time, until the next search begins."""
        with self._turns.turn(self.stop):
            self._job(state, Limit(), 1, previous).start()

    def _job(self, state: State | None, limit: Limit, lines: int, previous: Sequence[State]) -> _Job:
        if self._running is not None:  # pondering, or a stream that was left before its end
            self._running.end()
        state = self.game.initial() if state is None else state
        actions = root_actions(self.game, state, previous)
        checked_lines(lines)
        self._grow_older(previous)
        self._running = _Job(self, state, actions, limit, lines, previous, self._age)
        return self._running

    def _grow_older(self, previous: Sequence[State]) -> None:
        """Have what the table knows count as old: with cycles, where the game has another past.

        What is proved after one past need not be so after another, and is not when its age is another. Ages
        come round again, so nothing of the last round may be left.
        """
        if not self.game.cycles:
            self._age = (self._age + 1) % tables.AGES
            return
        now = Counter(position(self.game, state, self.game.to_move(state)) for state in previous)
        if now != self._past:
            self._past = now
            self._age += 1
            if self._age == tables.AGES:
                self._age = 0
                self.clear()


class _Job:
    """One search: a thread for each worker, and what the first of them has to tell."""

    def __init__(
        self,
        engine: AlphaBeta,
        state: State,
        actions: list[Action],
        limit: Limit,
        lines: int,
        previous: Sequence[State],
        age: int,
    ) -> None:
        self.engine, self.game, self.limit, self.lines = engine, engine.game, limit, lines
        self.state, self.actions = state, actions
        self.player = self.game.to_move(state)
        self.news: Channel[SearchResult] = Channel()
        self.every_depth = True  # whether to tell after each depth, or only at the end
        self.over: Callable[[], None] = lambda: None  # to be called when it is
        nodes = -(-limit.nodes // len(engine.workers)) if limit.nodes else None
        for worker in engine.workers:
            worker.begin(state, age, nodes, previous)
        self.begun = clock.perf_counter()
        self.threads = [
            threading.Thread(target=self._work, args=(number,), name="plies-search", daemon=True)
            for number in range(len(engine.workers))
        ]

    def start(self) -> None:
        start(*reversed(self.threads))  # the first worker last, for it joins the others

    def end(self) -> None:
        if self.engine._running is self:
            self.engine.stop()
            self.engine._running = None
        for thread in self.threads:
            if thread.ident is not None:  # it was started
                thread.join()

    def stream(self, stop: Callable[[], None]) -> Iterator[SearchResult]:
        self.start()
        try:
            yield from self.news.listen(self.threads[0], stop, self.limit.time)
        finally:
            self.end()

    def _work(self, number: int) -> None:
        try:
            self._deepen(number)
        except Rescaled:  # the first worker will come to that too, and go on alone
            pass
        except BaseException as error:  # handed on to the thread that asked
            self.news.fail(error)
        if number == 0:
            try:
                self.engine.stop()
                self._end_others()
            finally:  # whatever happens, nobody waits for ever
                self.news.end()
                self.over()

    def _deepen(self, number: int) -> None:
        """Search deeper and deeper; anew, and alone, whenever scores get another meaning."""
        if number > 0:
            for _ in _Deepening(self, number).run():
                pass
            return
        coarse: SearchResult | None = None
        told: SearchResult | None = None
        while True:
            deepening = _Deepening(self, number)
            try:
                for _ in deepening.run():
                    if self.every_depth and coarse is None:
                        told = deepening.found()
                        self.news.tell(told)
                if not deepening.needs_zoom():
                    break
                coarse = deepening.found()
                self.engine.workers[0].zoom(deepening.roots[0].score, self.player)
            except Rescaled:
                pass
            self._end_others()
            self.engine.workers[0].clear()
        found = deepening.found()
        if coarse is not None:  # what lies beyond what was zoomed into was known better before
            proved = {action: value for action, value in found.scores.items() if value.proved}
            if not found.value.proved:
                found = replace(coarse, nodes=found.nodes, seconds=found.seconds)
            found = replace(found, scores={**coarse.scores, **proved})
        if told is None or replace(told, seconds=found.seconds) != found:  # or all was told
            self.news.tell(found)

    def _end_others(self) -> None:
        """End all workers but the first, who then has the table to itself."""
        for worker in self.engine.workers[1:]:
            worker.stop()
        for thread in self.threads[1:]:
            thread.join()


class _Deepening:
    """Depth after depth at the root, by one worker."""

    def __init__(self, job: _Job, number: int) -> None:
        self.job, self.number = job, number
        self.worker = job.engine.workers[number]
        self.record = self.worker.run
        self.symmetry = int(self.record.symmetry)
        self.roots = [_Rooted(action) for action in self._considered()]
        self.failed: list[_Rooted] = []  # the bounds that the last window which nothing reached has shown
        self.depth = 0
        self.player = job.player

    def _considered(self) -> list[Action]:
        """The actions to look at: all, or as many as the beam is wide, the most promising."""
        game, options, state = self.job.game, self.job.engine.options, self.job.state
        width = max(options.beam, self.job.lines)
        if not options.beam or width >= len(self.job.actions):
            return self.job.actions
        actions = list(game.candidates(state)) if options.candidates else self.job.actions
        if options.priority:
            actions.sort(key=lambda action: -game.priority(state, action))
        return [action for action in actions if action in self.job.actions][:width]

    def _consider_all(self) -> None:
        """Where the most promising actions are lost, look at all others too."""
        known = {root.action for root in self.roots}
        self.roots += [_Rooted(action) for action in self.job.actions if action not in known]

    def run(self) -> Iterator[None]:
        """Search deeper and deeper; each time there is something new, `found` tells it."""
        last = min(self.job.limit.depth or INFINITY, int(self.record.last_ply) + 1)  # nothing is seen beyond
        yield
        for depth in range(1 + self.number % 2, last + 1):
            before = self.roots
            complete = self._search_root(depth)
            if complete:
                self.depth = depth
                self._count_plies()
            if complete or self.roots is not before:
                yield
            if not complete or self._finished():
                return
            if is_final(self.roots[0].score, self.record) and self.roots[0].score < 0:
                self._consider_all()
            if self.worker.outgrown:
                self.worker.enlarge_table()

    def _search_root(self, depth: int) -> bool:
        """Search all actions to a depth; whether none was left out."""
        guess = self.roots[0].score
        options = self.job.engine.options
        if depth < 3 or guess == -INFINITY or self.job.lines > 1:
            return self._window(depth, -INFINITY, INFINITY) is not None
        if options.driver == "mtd(f)":
            return self._null_windows(depth, guess)
        if not options.aspiration:
            return self._window(depth, -INFINITY, INFINITY) is not None
        width = max(1, int(self.record.best - self.record.worst) >> 6)
        alpha, beta = guess - width, guess + width
        while (score := self._window(depth, alpha, beta)) is not None:
            if alpha < score < beta:
                return True
            alpha = -INFINITY if score <= alpha else alpha
            beta = INFINITY if score >= beta else beta
        return False

    def _null_windows(self, depth: int, guess: int) -> bool:
        """MTD(f): close in on the score from both sides."""
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
        first = _Rooted(first.action, guess, EXACT, solved, counted)
        self.roots = [first, *(most[root.action] for root in others)]
        return True

    def _window(self, depth: int, alpha: int, beta: int) -> int | None:
        """Search all actions within a window, the best so far first: the best score, or None if stopped.

        If no action reaches alpha, nothing is learned of their order, and what was known before stays.
        """
        run, lines = self.record, self.job.lines
        done: list[_Rooted] = []
        best: list[int] = []  # the scores of the best `lines` actions, highest first
        for i, root in enumerate(self.roots):
            low = max(alpha, best[lines - 1]) if len(best) >= lines else alpha
            child = self.job.game.result(self.job.state, root.action)
            inexact, borrowed = int(run.inexact), int(run.borrowed)
            narrow = i >= lines and self.job.engine.options.null_window
            score = self._score(root.action, child, low, low + 1 if narrow else beta, depth)
            if narrow and low < score < beta and not run.stop:
                score = self._score(root.action, child, low, beta, depth)
            if run.stop:
                self._keep_partial(done)
                return None
            bound = AT_MOST if score <= low else AT_LEAST if score >= beta else EXACT
            solved, counted = int(run.inexact) == inexact, int(run.borrowed) == borrowed
            done.append(_Rooted(root.action, score, bound, solved, counted))
            best = sorted([*best, score], reverse=True)[:lines]
            if score >= beta:
                break
        if best[0] > alpha:
            left = self.roots[len(done) :]
            done.sort(key=lambda root: (root.score, root.bound != AT_MOST), reverse=True)
            self.roots = done + [_Rooted(root.action) for root in left]
        else:
            self.failed = done
        return best[0]

    def _keep_partial(self, done: list[_Rooted]) -> None:
        """Interrupted: what was found at this depth counts only if it beats the action that led so far."""
        better = [root for root in done[1:] if root.bound == EXACT and root.score > done[0].score]
        if better:
            first = max(better, key=lambda root: root.score)
            others = [root for root in self.roots if root.action != first.action]
            self.roots = [first, *others]

    def _score(self, action: Action, child: State, alpha: int, beta: int, depth: int) -> int:
        return self.worker.score(action, child, self.player, alpha, beta, depth - 1, 1)

    # -- What is proved, and what is left to find out.

    def _is_proved(self, root: _Rooted) -> bool:
        """Whether a score is the value of an action, or its bound a bound of it."""
        return root.score != -INFINITY and (root.solved or self._is_final(root))

    def _proved(self) -> bool:
        """Whether the score of the best action is the value of the position."""
        best = self.roots[0]
        if not self._is_proved(best):
            return False
        if best.score > 0 and self._is_final(best):  # nothing can be better
            return True
        # No other may be better: neither one that was left out, nor one of which that is an estimate.
        return len(self.roots) == len(self.job.actions) and all(map(self._is_proved, self.roots))

    def needs_zoom(self) -> bool:
        """Whether the value is proved, but for utilities that share its score."""
        return self._proved() and not self.record.stop and self._utility(self.roots[0]) is None

    def _finished(self) -> bool:
        """Whether all is proved that was asked for, and little or nothing is left to find out about plies."""
        best = self.roots[0]
        asked = self.roots[: self.job.lines]
        if not self._proved() or not all(root.bound == EXACT and self._is_proved(root) for root in asked[1:]):
            return False
        return self._quickest() or self.depth >= 2 * self.worker.plies(best.score)

    def _is_final(self, root: _Rooted) -> bool:
        """Whether a score can only come from the best or the worst way for a game to end."""
        if not is_final(root.score, self.record):
            return False
        return root.bound != (AT_MOST if root.score > 0 else AT_LEAST)

    def _counted(self, root: _Rooted) -> bool:
        """Whether an action that wins or loses takes just as many plies as its score says."""
        return root.solved or root.bound != EXACT or self._hides_nothing(root, root)

    def _quickest(self) -> bool:
        """Whether the best action takes as many plies as its score says, and if it wins, none is quicker."""
        best, *others = self.roots
        if not self._counted(best) or (best.score > 0 and len(self.roots) < len(self.job.actions)):
            return False
        return best.score < 0 or all(other.solved or self._hides_nothing(other, best) for other in others)

    def _hides_nothing(self, root: _Rooted, best: _Rooted) -> bool:
        """Whether an action was searched so that it cannot end quicker than the best without our knowing.

        Beyond the depth searched a table that looked further, or a quiescence search, may come upon a slow
        win before a quick one. So may one that took scores of other paths.
        """
        options = self.job.engine.options
        within = self.worker.plies(best.score) <= self.depth
        return within and root.counted and not (options.reductions or options.beam)

    def _count_plies(self) -> None:
        """Where scores of other paths may hide a quicker win or loss than the one proved, look for it."""
        best = self.roots[0]
        hidden = not all(root.counted or root.solved for root in self.roots)
        if not (hidden and self._proved() and is_final(best.score, self.record)):
            return
        game = self.job.game
        if game.cycles and game.has("repetition_key"):  # what is proved of a state holds on one path alone
            return
        options, plies = self.job.engine.options, self.worker.plies(best.score)
        if plies > self.depth or options.reductions or options.beam or best.bound != EXACT:
            return
        # A win: is any action better by a ply? A loss: does the best action last as long?
        window = (best.score, best.score + 1) if best.score > 0 else (best.score - 1, best.score)
        looked_at = self.roots if best.score > 0 else self.roots[:1]
        borrowed, run = int(self.record.borrowed), self.record
        with self.worker.free():
            for root in looked_at:
                child = game.result(self.job.state, root.action)
                score = self._score(root.action, child, *window, plies - 1)
                if run.stop or run.borrowed != borrowed:
                    return
                if (score > best.score) if best.score > 0 else (score < best.score):
                    return  # the next depth will come to it
        self.roots = [replace(root, counted=True) for root in self.roots]

    def _utility(self, root: _Rooted) -> float | None:
        """The utility that a proved score stands for, as the game tells it; None where several share it."""
        utility = self.worker.utility(root.score, self.player)
        if utility is None or self.job.game.total == 0 or self.player == 0 or root.bound != EXACT:
            return utility
        # By the total, rounding aside: at the end of the line, if it is known, stands what the game says.
        game, end = self.job.game, self.job.state
        for action in self._line(root.action):
            end = game.result(end, action)
        if game.is_terminal(end) and 2 * self.record.even - game.utility(end, 0) == utility:
            return float(game.utility(end, self.player))
        return utility

    def _value(self, root: _Rooted, proved: bool, counted: bool) -> Value:
        game = self.job.game
        if root.score == -INFINITY:
            return Value.of(game, game.draw_value)
        utility = self._utility(root) if proved else None
        if utility is None:
            return Value.of(game, self.worker.estimate(root.score), bound=root.bound)
        plies = self.worker.distance(root.score, utility) if counted else None
        return Value.of(game, utility, True, plies, root.bound)

    def found(self) -> SearchResult:
        """The best action so far, and what it rests on."""
        best, runs = self.roots[0], [worker.run for worker in self.job.engine.workers]
        searched = [root for root in self.roots if root.score != -INFINITY]
        return SearchResult(
            action=best.action,
            value=self._value(best, self._proved(), self._quickest()),
            line=self._line(best.action),
            depth=self.depth,
            nodes=sum(int(run.nodes) for run in runs),
            seconds=clock.perf_counter() - self.job.begun,
            hits=sum(int(run.hits) for run in runs),
            cuts=sum(int(run.cuts) for run in runs),
            first_cuts=sum(int(run.first_cuts) for run in runs),
            scores={
                root.action: self._value(root, self._is_proved(root), self._counted(root))
                for root in searched
            },
            lines=[self._line(root.action) for root in self.roots[: self.job.lines]],
            algorithm="alpha-beta",
            rests_on=rests_on(self.job.game),
            game=self.job.game,
            state=self.job.state,
        )

    def _line(self, action: Action) -> list[Action]:
        """The principal variation, as far as the table remembers it."""
        game, line = self.job.game, [action]
        state = game.result(self.job.state, action)
        while self.record.table and len(line) < self.depth and not game.is_terminal(state):
            action = self._remembered(state, len(line))
            if action is None:
                break
            line.append(action)
            state = game.result(state, action)
        return line

    def _remembered(self, state: State, ply: int) -> Action | None:
        """The best action that the table knows of, if need be by what it knows of an image of the state."""
        for image in self._images(state):
            child = self._best_child(image, ply)
            if child is not None:
                for action in self.job.game.actions(state):
                    if child in self._images(self.job.game.result(state, action)):
                        return action
        return None

    def _best_child(self, state: State, ply: int) -> State | None:
        """The state that the best action leads to, by the table."""
        game, run = self.job.game, self.record
        data = self._entry(state, ply)
        actions = list(game.candidates(state) if run.candidates else game.actions(state))
        if ply > self.symmetry:
            known = 0 <= tables.best_of(data) < len(actions)
            return game.result(state, actions[tables.best_of(data)]) if known else None
        # Images share an entry, which does not tell for which of them its best action is: go by the score.
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
