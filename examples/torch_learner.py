"""A policy network of PyTorch learns Tic-Tac-Toe by REINFORCE (Williams 1992), playing both sides.

It sees what PettingZoo's environment of the game shows, and knows the game by nothing else: try another name.
Needs PyTorch and PettingZoo: pip install torch 'plies[pettingzoo]'. Takes about ten seconds.
"""

import random
import sys

try:
    import torch
except ImportError:
    raise SystemExit("this example needs PyTorch: pip install torch") from None

from plies.interop.pettingzoo import env

NAME = sys.argv[1] if len(sys.argv) > 1 else "tic-tac-toe"
GAMES = 3000  # of self-play
BATCH = 20  # games between two steps of the optimiser


def network(environment):
    """Scores of all moves, from an observation."""
    seen = environment.observation_space("player_0")["observation"]
    size = torch.Size(seen.shape).numel()
    return torch.nn.Sequential(
        torch.nn.Linear(size, 64), torch.nn.ReLU(), torch.nn.Linear(64, int(environment.game.move_indices))
    )


def policy(model, observation):
    """The probabilities of the moves: legal ones alone have any."""
    seen = torch.as_tensor(observation["observation"], dtype=torch.float32).flatten()
    legal = torch.as_tensor(observation["action_mask"], dtype=torch.bool)
    return torch.distributions.Categorical(logits=model(seen).masked_fill(~legal, -torch.inf))


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
    """Make the moves of those who won more likely, and those of who lost less."""
    optimiser = torch.optim.Adam(model.parameters(), lr=0.005)
    for _ in range(GAMES // BATCH):
        loss = torch.zeros(())
        for _ in range(BATCH):
            taken = []

            def choose(agent, observation, taken=taken):
                moves = policy(model, observation)
                move = moves.sample()
                taken.append((agent, moves.log_prob(move)))
                return int(move)

            rewards = play(environment, choose)
            loss = loss - sum(rewards[agent] * likelihood for agent, likelihood in taken) / BATCH
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def score(environment, model, games=200):
    """The share of points against random moves, from both sides in turn; a draw is half a point."""
    generator, points = random.Random(1), 0.0
    for number in range(games):
        mine = f"player_{number % 2}"

        def choose(agent, observation, mine=mine):
            if agent == mine:
                return int(policy(model, observation).probs.argmax())
            return int(generator.choice(observation["action_mask"].nonzero()[0]))

        with torch.no_grad():
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
    print("scores at least 85 % of the points:", after >= 0.85)


if __name__ == "__main__":
    main()
