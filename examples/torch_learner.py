"""A network of PyTorch learns Tic-Tac-Toe, playing both sides: Monte Carlo control (Sutton and Barto, 5.4).

It sees what PettingZoo's environment of the game shows, and knows the game by nothing else: try another name.
Needs PyTorch and PettingZoo: pip install torch 'plies[pettingzoo]'. Takes about ten seconds.
"""

import random
import sys
from collections import deque

try:
    import torch
except ImportError:
    raise SystemExit("this example needs PyTorch: pip install torch") from None

from plies.interop.pettingzoo import env

NAME = sys.argv[1] if len(sys.argv) > 1 else "tic-tac-toe"
GAMES = 2000  # of self-play
BETWEEN = 10  # games between two lessons
EXPLORED = 0.2  # the share of random moves

generator = random.Random(1)


def network(environment):
    """The value of every move to the agent who makes it, from what the agent sees."""
    size = torch.Size(environment.observation_space("player_0")["observation"].shape).numel()
    return torch.nn.Sequential(
        torch.nn.Linear(size, 128), torch.nn.ReLU(), torch.nn.Linear(128, environment.game.move_indices)
    )


def seen(observation):
    """What the network reads."""
    return torch.as_tensor(observation["observation"], dtype=torch.float32).flatten()


def best(model, observation):
    """The legal move of the highest value."""
    illegal = torch.as_tensor(observation["action_mask"] == 0)
    with torch.no_grad():
        return int(model(seen(observation)).masked_fill(illegal, -torch.inf).argmax())


def at_random(observation):
    """Any legal move."""
    return int(generator.choice(observation["action_mask"].nonzero()[0]))


def play(environment, choose):
    """One game, in which `choose` is called with each agent and what it sees; the rewards."""
    environment.reset()
    rewards = {}
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, _ = environment.last()
        rewards[agent] = rewards.get(agent, 0) + reward
        environment.step(None if terminated or truncated else choose(agent, observation))
    return rewards


def train(environment, model):
    """Play, and let the value of each move become what its game was worth."""
    optimiser = torch.optim.Adam(model.parameters(), lr=0.002)
    memory = deque(maxlen=8000)  # what was seen, the move, and what the game was worth
    for number in range(1, GAMES + 1):
        taken = []

        def choose(agent, observation, taken=taken):
            explore = generator.random() < EXPLORED
            move = at_random(observation) if explore else best(model, observation)
            taken.append((agent, seen(observation), move))
            return move

        rewards = play(environment, choose)
        memory.extend((what, move, rewards[agent]) for agent, what, move in taken)
        for _ in range(10 if number % BETWEEN == 0 else 0):
            whats, moves, worths = zip(*generator.sample(memory, min(128, len(memory))), strict=True)
            values = model(torch.stack(whats))[range(len(moves)), moves]
            loss = torch.nn.functional.mse_loss(values, torch.tensor(worths, dtype=torch.float32))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()


def score(environment, model, games=200):
    """The share of points against random moves, from both sides in turn; a draw is half a point."""
    points = 0.0
    for number in range(games):
        mine = f"player_{number % 2}"

        def choose(agent, observation, mine=mine):
            return best(model, observation) if agent == mine else at_random(observation)

        reward = play(environment, choose)[mine]
        points += 1 if reward > 0 else 0.5 if reward == 0 else 0
    return points / games


def main():
    """Train, and say what it was good for."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    environment = env(NAME)
    model = network(environment)
    before = score(environment, model)
    train(environment, model)
    after = score(environment, model)
    print(f"{GAMES} games of {NAME} with itself")
    print("scores more against random moves than before:", after > before)
    print("scores at least 80 % of the points:", after >= 0.8)


if __name__ == "__main__":
    main()
