"""Who may use the server: requests must name this machine, and those from elsewhere must bring the token.

The Host header must name this machine, or else another site could point its own name here (DNS rebinding).
The token comes in the address of a link, once, and stays in a cookie.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from plies.web.server import Server
from plies.web.sharing import is_loopback

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FOREIGN = "This server answers only to localhost and to IP addresses."
UNINVITED = "This page needs the whole link, with its token: ask whoever started the server for it."


class SecurityMiddleware:
    """Rejects requests for other host names and those without the token, and adds security headers."""

    def __init__(self, app: Starlette, server: Server, token: str, hosts: Sequence[str] = ()) -> None:
        self.app, self.server, self.token = app, server, token
        self.hosts = {"localhost", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        host = asked.get("host", "")
        brought = self._is_token(*parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", []))
        if not self._own(host):
            await self._refuse(scope, receive, send, 421, FOREIGN)
        elif not (brought or self._is_local(scope) or self._is_token(self._cookie(scope, asked))):
            await self._refuse(scope, receive, send, 403, UNINVITED)
        elif brought and scope["type"] == "http":
            await self._let_in(scope, receive, send)
        else:
            await self._serve(scope, receive, send, asked, host)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, asked: Headers, host: str) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers["Content-Security-Policy"] = POLICY.format(host=host)
                if asked.get("content-length", "0") != "0" or "transfer-encoding" in asked:
                    headers["Connection"] = "close"  # no body is ever read
            await send(message)

        await self.app(scope, receive, guarded)

    # -- The token.

    def _is_token(self, *given: str) -> bool:
        return len(given) == 1 and hmac.compare_digest(given[0].encode(), self.token.encode())

    def _is_local(self, scope: Scope) -> bool:
        """Whether a request comes from this machine."""
        client = scope.get("client")
        return client is not None and is_loopback(client[0])

    def _cookie_name(self, scope: Scope) -> str:
        """One for each port: browsers send a cookie to all ports of a machine."""
        return f"plies-{(scope.get('server') or ('', 0))[1]}"

    def _cookie(self, scope: Scope, asked: Headers) -> str:
        return cookie_parser(asked.get("cookie", "")).get(self._cookie_name(scope), "")

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Keep the token in a cookie, and show the page without it in the address."""
        response = RedirectResponse(scope["path"] if scope["path"] == "/learn" else "/", 303, HEADERS)
        # Lax: a link in a mail leads here from another site. A WebSocket must come from our own page.
        response.set_cookie(self._cookie_name(scope), self.token, httponly=True, samesite="lax")
        await response(scope, receive, send)

    # -- The host.

    def _own(self, host: str) -> bool:
        """Whether a Host header names this machine. An IP address is safe: DNS cannot rebind it."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if host.lower() not in _written(name, urlsplit(f"//{host}").port):
                return False
        except ValueError:
            return False
        if name in self.hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, code: int, sentence: str) -> None:
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(1008)
        else:
            await PlainTextResponse(sentence, code, HEADERS)(scope, receive, send)


def _written(name: str, port: int | None) -> set[str]:
    """The spellings of a name and a port that a Host header may have."""
    name = f"[{name}]" if ":" in name else name
    return {name, f"{name}:{port}"} if port is not None else {name, f"{name}:"}


def same_origin(headers: Headers) -> bool:
    """Whether a WebSocket comes from a page of this server; only browsers send an origin."""
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
    except ValueError:  # not a URL
        return False
