"""Games of Plies in other libraries: environments of PettingZoo and Gymnasium, and games of OpenSpiel.

Each module needs its library, and `import plies` none of them. OpenSpiel's games in Plies are
`plies.games.open_spiel`.
"""
