/* The kernel `pvs` on Connect Four with the refinements that are on by default, hand-written: transposition
   table, enhanced transposition cut-offs, candidates, move ordering by priority, null windows, symmetry near the
   root, mate-distance pruning. Same scores, entries and order, so the same nodes; 0 at the depth bound. The root
   (depths, windows) stays in Python, which calls `pvs` here instead of the kernel: see against_c.py. */
#include <stdint.h>

enum {
    WIDTH = 7, HEIGHT = 6, COLUMN = HEIGHT + 1, CELLS = WIDTH * HEIGHT,
    PLY_BITS = 13,                                  /* score.py: plies are in the lowest bits of a score */
    EXACT = 3, LOWER = 1, UPPER = 2, SOLVED = 192,  /* table.py: what an entry is */
    TABLE_CUTS_DEPTH = 2                            /* options.py */
};
static const int64_t BEST = 1LL << (23 + PLY_BITS); /* a win, as far away as the root */
static const int64_t UNKNOWN = -(1LL << 60);
static const int64_t FIRST = 1LL << 50;             /* move_ordering.py: the order of the hash move */
static const int64_t PREFIX = 0x1FFFFLL << 32;      /* table.py: the bits of the key that any check has */

typedef struct { uint64_t mine, filled; int64_t ply; } State;  /* `ply` counts from the empty board */

typedef struct {  /* what the kernel's record has: counters, and settings that stay the same */
    int64_t nodes, inexact, hits, cuts, first_cuts;
    int64_t age, symmetry, buckets;
    int64_t *table;
} Run;

/* -- The rules, as in plies/games/connect_four.py. */

static const int COLUMNS[WIDTH] = {3, 2, 4, 1, 5, 0, 6};  /* centre first */
static const uint64_t BOTTOM = 0x0040810204081ULL;        /* the lowest cell of each column */
static const uint64_t BOARD = 0x0040810204081ULL * ((1 << HEIGHT) - 1);

static int four_in_a_row(uint64_t stones) {
    static const int steps[4] = {1, COLUMN - 1, COLUMN, COLUMN + 1};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = stones & (stones >> steps[i]);
        if (pairs & (pairs >> 2 * steps[i])) return 1;
    }
    return 0;
}

static int is_terminal(State s) { return s.ply == CELLS || four_in_a_row(s.mine ^ s.filled); }

static State result(State s, int column) {
    uint64_t drop = s.filled + (1ULL << column * COLUMN);
    return (State){s.mine ^ s.filled, s.filled | drop, s.ply + 1};
}

static uint64_t winning_cells(uint64_t stones, uint64_t filled) {
    uint64_t cells = (stones << 1) & (stones << 2) & (stones << 3);
    for (int step = HEIGHT; step < HEIGHT + 3; step++) {
        uint64_t pair = (stones << step) & (stones << 2 * step);
        cells |= pair & ((stones << 3 * step) | (stones >> step));
        pair = (stones >> step) & (stones >> 2 * step);
        cells |= pair & ((stones >> 3 * step) | (stones << step));
    }
    return cells & BOARD & ~filled;
}

static int candidates(State s, int *actions) {
    uint64_t next = (s.filled + BOTTOM) & BOARD;
    uint64_t theirs = winning_cells(s.mine ^ s.filled, s.filled);
    uint64_t chosen = next & winning_cells(s.mine, s.filled);
    if (!chosen) chosen = next & theirs;
    if (!chosen) chosen = next & ~(theirs >> 1);
    if (!chosen) chosen = next;
    int count = 0;
    for (int i = 0; i < WIDTH; i++)
        if (chosen >> COLUMNS[i] * COLUMN & ((1 << HEIGHT) - 1)) actions[count++] = COLUMNS[i];
    return count;
}

static int64_t priority(State s, int column) {
    uint64_t drop = (s.filled + (1ULL << column * COLUMN)) & ~s.filled;
    return __builtin_popcountll(winning_cells(s.mine | drop, s.filled));
}

static uint64_t mirrored(uint64_t stones) {
    uint64_t image = 0;
    for (int i = 0; i < WIDTH; i++, stones >>= COLUMN) image = image << COLUMN | (stones & ((1 << COLUMN) - 1));
    return image;
}

/* -- Keys and the transposition table, as in plies/bits.py, table.py and transpositions.py. */

static int64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
    return (int64_t)(x ^ x >> 31);
}

static int64_t table_key(State s, int64_t ply, const Run *run) {
    int64_t key = mix(s.mine + s.filled);
    if (ply <= run->symmetry) {
        int64_t image = mix(mirrored(s.mine) + mirrored(s.filled));
        if (image < key) key = image;
    }
    return key;
}

static int64_t *bucket(int64_t key, const Run *run) {
    return run->table + ((key >> 32 & 0xFFFFFFFFLL) * run->buckets >> 32) * 4;
}

static int64_t lookup(int64_t key, const Run *run) {
    int64_t *place = bucket(key, run);
    if ((place[0] ^ place[1]) == key) return place[1];
    if ((place[2] ^ place[3]) == key) return place[3];
    return 0;
}

static int64_t score_of(int64_t data) { return data >> 26; }
static int best_of(int64_t data) { return (int)(data >> 16 & 1023) - 1; }
static int64_t depth_of(int64_t data) { return data >> 8 & 255; }
static int64_t worth(int64_t old, int64_t new) { return (old ^ new) & 31 << 2 ? -1 : depth_of(old); }

static void store(int64_t key, int64_t data, const Run *run) {
    int64_t *first = bucket(key, run), *other = first + 2, *place = first;
    if ((first[0] ^ first[1] ^ key) & PREFIX &&
        (!((other[0] ^ other[1] ^ key) & PREFIX) || worth(other[1], data) < worth(first[1], data)))
        place = other;
    place[0] = key ^ data;
    place[1] = data;
}

static int64_t from_table(int64_t score, int64_t plies) {
    return score > 0 ? score - plies : score < 0 ? score + plies : 0;
}

static void credit(int64_t data, Run *run) {
    run->hits++;
    if (depth_of(data) < SOLVED) run->inexact++;
}

static int64_t cutoff_score(State s, const int *actions, const int64_t *keys, int count, int64_t beta,
                            int64_t depth, int64_t ply, Run *run) {
    for (int i = 0; i < count; i++) {
        int64_t data = lookup(keys[i], run);
        if (data && !is_terminal(result(s, actions[i])) &&
            depth_of(data) >= (depth - 1 < SOLVED ? depth - 1 : SOLVED)) {
            int64_t score = -from_table(score_of(data), ply + 1);
            if (data & UPPER && score >= beta) {
                credit(data, run);
                return score;
            }
        }
    }
    return UNKNOWN;
}

static void record(int64_t key, int64_t alpha, int64_t beta, int64_t best, int best_index, int64_t depth,
                   int64_t inexact, int64_t nodes, int64_t ply, Run *run) {
    int64_t bound = best >= beta ? LOWER : best <= alpha ? UPPER : EXACT;
    int64_t kept = depth < SOLVED ? depth : SOLVED - 1;
    if (run->inexact == inexact) {
        kept = SOLVED;
        for (int64_t spent = run->nodes - nodes; spent > 1; spent >>= 1) kept++;
    }
    int64_t score = best > 0 ? best + ply : best < 0 ? best - ply : 0;
    int64_t data = (int64_t)((uint64_t)score << 26) | (int64_t)(best_index + 1) << 16 | kept << 8 | run->age << 2;
    store(key, data | bound, run);
}

/* -- Principal variation search, as in plies/engine/kernels/pvs.py. */

static void pick_next(int place, int end, int *actions, int64_t *order) {
    int pick = place;
    for (int j = place + 1; j < end; j++)
        if (order[j] > order[pick]) pick = j;
    if (pick != place) {
        int action = actions[pick];
        int64_t its = order[pick];
        actions[pick] = actions[place], order[pick] = order[place];
        actions[place] = action, order[place] = its;
    }
}

static int64_t search(State s, int viewer, int64_t alpha, int64_t beta, int64_t depth, int64_t ply, Run *run) {
    run->nodes++;
    if (is_terminal(s)) {
        if (!four_in_a_row(s.mine ^ s.filled)) return 0;
        return s.ply % 2 == viewer ? -BEST + ply : BEST - ply;
    }
    int mover = s.ply % 2, sign = mover == viewer ? 1 : -1;
    if (sign < 0) {
        int64_t least = -beta;
        beta = -alpha, alpha = least;
    }
    if (BEST - (ply + 1) <= alpha) return sign * (BEST - (ply + 1));
    if (-BEST + ply + 1 >= beta) return sign * (-BEST + ply + 1);
    if (depth <= 0) {
        run->inexact++;
        return 0;
    }
    int64_t key = table_key(s, ply, run), data = lookup(key, run), score;
    int remembered = best_of(data);
    if (data) {
        score = from_table(score_of(data), ply);
        int enough = (data & LOWER && score >= beta) || (data & UPPER && score <= alpha);
        if (depth_of(data) >= (depth < SOLVED ? depth : SOLVED) && (enough || (data & 3) == EXACT)) {
            credit(data, run);
            return sign * score;
        }
    }
    int64_t inexact = run->inexact, nodes = run->nodes;

    int actions[WIDTH];
    int64_t order[WIDTH], keys[WIDTH];
    int count = candidates(s, actions);
    if (depth >= TABLE_CUTS_DEPTH)
        for (int i = 0; i < count; i++) {
            keys[i] = table_key(result(s, actions[i]), ply + 1, run);
            __builtin_prefetch(bucket(keys[i], run));
        }
    if (count > 1)
        for (int i = 0; i < count; i++) {
            int64_t urgency = i == remembered ? FIRST : priority(s, actions[i]) * 256 << 28;
            order[i] = urgency * 1024 + 1023 - i;
        }
    if (depth >= TABLE_CUTS_DEPTH) {
        score = cutoff_score(s, actions, keys, count, beta, depth, ply, run);
        if (score != UNKNOWN) return sign * score;
    }

    int64_t best = UNKNOWN, lower = alpha;
    int best_index = -1;
    for (int i = 0; i < count; i++) {
        pick_next(i, count, actions, order);
        State child = result(s, actions[i]);
        int64_t upper = i > 0 ? lower + 1 : beta;
        score = search(child, mover, lower, upper, depth - 1, ply + 1, run);
        if (upper < beta && score > lower && score < beta)
            score = search(child, mover, lower, beta, depth - 1, ply + 1, run);
        if (score > best) {
            best = score;
            best_index = count > 1 ? 1023 - (int)(order[i] & 1023) : 0;
            if (score > lower) lower = score;
            if (score >= beta) {
                run->cuts++;
                if (i == 0) run->first_cuts++;
                break;
            }
        }
    }
    record(key, alpha, beta, best, best_index, depth, inexact, nodes, ply, run);
    return sign * best;
}

int64_t pvs(int64_t mine, int64_t filled, int64_t discs, int64_t viewer, int64_t alpha, int64_t beta,
            int64_t depth, int64_t ply, Run *run) {
    return search((State){mine, filled, discs}, (int)viewer, alpha, beta, depth, ply, run);
}
