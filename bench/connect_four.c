/* Depth-bounded alpha-beta on Connect Four, hand-written: what the compiled kernel is measured against.
   Same rules, order of moves, window and scores (the quicker win first), so the same nodes.
   Arguments: depth, repetitions. Prints value, nodes and seconds for each repetition. */
#include <math.h>
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

/* The score to the player to move, whose stones are `mine`: a loss at ply n is -2^30 + n. */
static double negamax(uint64_t mine, uint64_t filled, int ply, double alpha, double beta, int depth) {
    nodes++;
    if (four_in_a_row(mine ^ filled)) return -1073741824.0 + ply;
    if (ply == WIDTH * HEIGHT || depth == 0) return 0;
    double best = -INFINITY;
    for (int i = 0; i < WIDTH; i++) {
        int column = WIDTH / 2 + (1 - 2 * (i & 1)) * ((i + 1) / 2);
        if (filled >> (column * COLUMN + HEIGHT - 1) & 1) continue;
        uint64_t drop = filled + (1ULL << column * COLUMN);
        double value = -negamax(mine ^ filled, filled | drop, ply + 1, -beta, -alpha, depth - 1);
        if (value > best) best = value;
        if (best >= beta) return best;
        if (best > alpha) alpha = best;
    }
    return best;
}

int main(int argc, char **argv) {
    int depth = argc > 1 ? atoi(argv[1]) : 12, repetitions = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = 0; i < repetitions; i++) {
        struct timespec start, end;
        nodes = 0;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
        double value = negamax(0, 0, 0, -INFINITY, INFINITY, depth);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        double seconds = (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec);
        printf("%.0f %lld %.9f\n", value, (long long)nodes, seconds);
    }
}
