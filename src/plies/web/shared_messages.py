"""The messages about shared games. Their handlers run on the server's event loop, which keeps these games.

A page follows a game by `join`, which is answered only when the page leaves: until then every change is an
`info`. A page that has lost its connection sends it again, and is where it was.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plies.errors import PliesError
from plies.game import CHANCE, SIMULTANEOUS
from plies.web.clocks import INCREMENT, LONGEST_CLOCK
from plies.web.fields import choice, integer, number, text
from plies.web.messages import PROTOCOL
from plies.web.protocol import LATER, MOST_MOVES, Message, PositionSpec
from plies.web.shared_game import SharedGame
from plies.web.sharing import Sharing, qr_code

if TYPE_CHECKING:
    from plies.web.client import Client

message = PROTOCOL.message

LONGEST_KEY = 64
"""The most characters of an id or a key. Not tuned."""

ID = text(LONGEST_KEY)
ACTIONS = ("resign", "draw", "rematch", "decline")


@dataclass
class SharedContext:
    """What a handler works with: the page that has sent the message, and when that came."""

    client: Client
    message: Message
    arrived: float

    @property
    def sharing(self) -> Sharing:
        """The shared games of the server."""
        if self.client.server.sharing is None:
            raise PliesError(
                "games are not shared here: start the page with `plies serve --share` to play somebody else"
            )
        return self.client.server.sharing

    async def answer(self, type_: str, position: PositionSpec, **fields: Any) -> Any:
        """What the server answers to a message about a position."""
        asked = Message(self.message.id, PROTOCOL.types[type_], position, fields)
        reply = await self.client.reply(asked)
        if "error" in reply:
            raise PliesError(reply["error"])
        return reply["result"]

    def seat(self, game: SharedGame, key: str) -> int:
        """The seat that a key opens."""
        number = game.seat_of(key)
        if number is None:
            raise PliesError("you watch this game; only its two players may do that")
        return number


@message(
    {
        "key": ID,
        "seat": integer(-1, 1, -1),
        "minutes": number(0, LONGEST_CLOCK, 0),
        "increment": INCREMENT,
    },
    position=True,
    shared=True,
)
async def share(
    context: SharedContext, key: str, seat: int, minutes: float, increment: float
) -> dict[str, Any]:
    """A new game for two pages: its id as `shared`, and the `link` and its `qr` code for the other player.

    The seat -1 is one of the two at random.
    """
    sharing, position = context.sharing, context.message.position
    assert position is not None
    opened = await context.answer("game", position)
    names, view = opened["details"]["players"], opened["view"]
    if len(names) != 2:
        raise PliesError(f"a game of two players can be shared; {position.game} has {len(names)}")
    if view["over"]:
        raise PliesError("the game is over here: share one that can be played")
    id_ = secrets.token_urlsafe(9)
    game = SharedGame(id_, position, names, view, float(minutes), float(increment))
    game.take(key, context.client.server.rng.randrange(2) if seat < 0 else seat)
    await _roll(context, game)
    sharing.open(game)
    return {"shared": id_, **_invitation(sharing, game)}


def _invitation(sharing: Sharing, game: SharedGame) -> dict[str, Any]:
    link = sharing.link_to(game)
    return {"link": link, "qr": qr_code(link)}


@message({"shared": ID, "key": ID}, shared=True)
async def join(context: SharedContext, shared: str, key: str) -> Any:
    """True once the page has left. Meanwhile, an `info` is the whole game as it is now.

    A key that is new gets a free seat, if there is one; without a seat, one watches.
    """
    sharing = context.sharing
    game = sharing.find(shared)
    game.take(key)
    sharing.admit(game, context.client, key)
    context.client.follow(context.message.id)
    sharing.publish(game)
    return LATER


@message(shared=True)
async def leave(context: SharedContext) -> bool:
    """True: the page follows no shared game any more; its seat stays its own."""
    context.client.unfollow()
    return True


@message({"shared": ID}, shared=True)
async def invitation(context: SharedContext, shared: str) -> dict[str, Any]:
    """The `link` to a shared game, and its `qr` code."""
    return _invitation(context.sharing, context.sharing.find(shared))


@message({"shared": ID, "key": ID, "ply": integer(0, MOST_MOVES), "move": text(200)}, shared=True)
async def shared_move(context: SharedContext, shared: str, key: str, ply: int, move: str) -> bool:
    """True: the move was made, or the choice taken, and all pages of the game are told."""
    sharing = context.sharing
    game = sharing.find(shared)
    seat = context.seat(game, key)
    async with game.turn:
        if game.was_made(seat, ply, move):
            return True
        if game.time_is_over(context.arrived):
            sharing.publish(game)
        game.check_turn(seat, ply)
        await _make(context, game, seat, move)
        await _roll(context, game)
        sharing.publish(game)
    return True


async def _make(context: SharedContext, game: SharedGame, seat: int, move: str) -> None:
    """Make a move, or take a choice where all choose at once."""
    sent = game.ply, move
    if game.view["mover"] != SIMULTANEOUS:
        view = await context.answer("view", game.now.after(move))
        game.moved(seat, sent, context.arrived)
        game.show(view)
        return
    allowed = [one["move"] for one in game.view["choices"][seat]]
    if move not in allowed:
        raise PliesError(f"{move[:40]!r} is not a legal choice; choices: {', '.join(allowed)[:200]}")
    game.moved(seat, sent, context.arrived)
    game.seats[seat].choice = move
    if not game.to_act():
        choices = [one.choice for one in game.seats]
        game.show(await context.answer("together", game.now, choices=choices))
    else:
        game.start_clocks(time.monotonic())


async def _roll(context: SharedContext, game: SharedGame) -> None:
    """Let chance move until a player is to."""
    while not game.view["over"] and game.view["mover"] == CHANCE and game.ply < MOST_MOVES:
        game.show(await context.answer("chance", game.now))


@message(
    {"shared": ID, "key": ID, "action": choice(ACTIONS), "round": integer(1, 10**6)},
    shared=True,
)
async def shared_act(context: SharedContext, shared: str, key: str, action: str, round: int) -> bool:
    """True: the player has resigned, offered or accepted a draw or a rematch, or declined one."""
    sharing = context.sharing
    game = sharing.find(shared)
    seat = context.seat(game, key)
    async with game.turn:
        if round == game.round:  # otherwise it was sent again, and the rematch has begun
            if game.time_is_over(context.arrived):
                sharing.publish(game)
            game.act(seat, action)
            await _roll(context, game)  # of a rematch
            sharing.publish(game)
    return True
