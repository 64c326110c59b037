/* Depth-bounded alpha-beta on Connect Four, hand-written: what the compiled kernel is measured against.
   Same rules, same order of moves, same window, so the same nodes. Prints value, nodes, seconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH = 7, HEIGHT = 6, COLUMN = HEIGHT + 1 };

static int64_t nodes;

static int four_in_a_row(uint64_t stones) {
    static const int steps[4] = {1, COLUMN - 1, COLUMN, COLUMN + 1};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = stones & (stones >> steps[i]);
        if (pairs & (pairs >> 2 * steps[i])) return 1;
    }
    return 0;
}

/* The value to the player to move, whose stones are `mine`. */
static int negamax(uint64_t mine, uint64_t filled, int ply, int alpha, int beta, int depth) {
    nodes++;
    if (four_in_a_row(mine ^ filled)) return -1;
    if (ply == WIDTH * HEIGHT || depth == 0) return 0;
    int best = -1000;
    for (int i = 0; i < WIDTH; i++) {
        int column = WIDTH / 2 + (1 - 2 * (i & 1)) * ((i + 1) / 2);
        if (filled >> (column * COLUMN + HEIGHT - 1) & 1) continue;
        uint64_t drop = filled + (1ULL << column * COLUMN);
        int value = -negamax(mine ^ filled, filled | drop, ply + 1, -beta, -alpha, depth - 1);
        if (value > best) best = value;
        if (best >= beta) return best;
        if (best > alpha) alpha = best;
    }
    return best;
}

int main(int argc, char **argv) {
    int depth = argc > 1 ? atoi(argv[1]) : 12;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int value = negamax(0, 0, 0, -1000, 1000, depth);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec);
    printf("%d %lld %.9f\n", value, (long long)nodes, seconds);
}
