"""Move ordering decides how much alpha-beta prunes: one tree, three orders."""

import plies

AIMA = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
BEST_FIRST = [[3, 12, 8], [2, 4, 6], [2, 5, 14]]
WORST_FIRST = [[14, 5, 2], [6, 4, 2], [12, 8, 3]]

for name, tree in (("AIMA's", AIMA), ("best first", BEST_FIRST), ("worst first", WORST_FIRST)):
    trace = plies.trace(plies.Tree(tree))
    print(f"{name:12} value {trace.value:g}, {trace.leaves} of 9 leaves visited")

print()
print(plies.trace(plies.Tree(BEST_FIRST)))
