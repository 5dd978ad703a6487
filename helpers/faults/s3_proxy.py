"""An HTTP proxy in front of an S3 store that fails, delays or cuts the n-th request of a kind.

    with S3FaultProxy(store.url) as proxy:
        with proxy.fault(RequestKind.UPLOAD_PART, Reset(after_reply=False), nth=2) as fault:
            …                       # statements that write to proxy.url
        assert fault.hits == 1      # the fault happened, and is healed here
        proxy.requests              # everything that was asked, in order

The Host header is passed on as it came, so the signatures of requests stay valid.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import struct
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from helpers.cluster.client.interception import action
from helpers.faults.s3_requests import Request, RequestKind, classify
from helpers.faults.serving import BACKLOG, Serving

__all__ = [
    "Delay",
    "Fault",
    "Request",
    "RequestKind",
    "Reset",
    "S3FaultProxy",
    "Stall",
    "Status",
    "classify",
]

UPSTREAM_SECONDS = 120.0
# Belong to one connection, not to the request that travels over two.
HOP_BY_HOP = ("connection", "keep-alive", "transfer-encoding", "expect")


@dataclass(frozen=True)
class Status:
    """The store answers with an error and does nothing."""

    code: int = 503
    name: str = "ServiceUnavailable"


@dataclass(frozen=True)
class Delay:
    """The reply takes this much longer."""

    seconds: float


@dataclass(frozen=True)
class Reset:
    """The connection is reset: before the store receives the request, or after it has executed it."""

    after_reply: bool


@dataclass(frozen=True)
class Stall:
    """No answer comes until the fault is healed; the store never receives the request, or has executed it."""

    after_reply: bool = False


Effect = Status | Delay | Reset | Stall


@dataclass
class Fault:
    """An effect on the n-th request of a kind (every one from there on, if `times` is None)."""

    kind: RequestKind
    effect: Effect
    nth: int
    times: int | None
    key: str
    seen: int = 0
    hits: int = 0
    processed: int = 0
    healed: threading.Event = field(default_factory=threading.Event)

    def applies(self, kind: RequestKind, key: str) -> bool:
        """Count a request; whether this fault applies to it."""
        if kind != self.kind or self.key not in key:
            return False
        self.seen += 1
        hit = self.seen >= self.nth and (self.times is None or self.hits < self.times)
        self.hits += hit
        return hit


class S3FaultProxy(Serving):
    """A proxy in front of the store at `url`; a context manager.

    It listens at the address from which this machine reaches the store: on loopback for a store there, on
    the bridge for one in a container, where servers in containers reach it too.
    """

    def __init__(self, url: str) -> None:
        parsed = urllib.parse.urlsplit(url)
        if parsed.scheme != "http" or not parsed.hostname:
            raise ValueError(f"{url!r}: the proxy stands in front of a store with an http:// URL")
        self.upstream = (parsed.hostname, parsed.port or 80)
        self.requests: list[Request] = []
        self._faults: list[Fault] = []
        self._lock = threading.Lock()
        host = own_address_towards(*self.upstream)
        server = _Server((host, 0), _Handler)
        server.proxy = self
        self.url = f"http://{host}:{server.server_address[1]}"
        super().__init__(server, "S3 fault proxy")

    def __exit__(self, *error: object) -> None:
        for fault in self._faults:
            fault.healed.set()
        super().__exit__(*error)

    @contextmanager
    def fault(
        self,
        kind: RequestKind,
        effect: Effect,
        *,
        nth: int = 1,
        times: int | None = 1,
        key: str = "",
    ) -> Iterator[Fault]:
        """Until the block ends, the n-th request of this kind (for a key with this part in it) and
        those after it, `times` in all, meet the effect."""
        fault = Fault(kind, effect, nth, times, key)
        self._inject(fault)
        try:
            yield fault
        finally:
            fault.healed.set()
            with self._lock:
                if fault in self._faults:
                    self._faults.remove(fault)

    def of_kind(self, kind: RequestKind) -> list[Request]:
        """The requests of a kind so far."""
        return [request for request in list(self.requests) if request.kind == kind]

    @action
    def _inject(self, fault: Fault) -> None:
        with self._lock:
            self._faults.append(fault)

    def choose(self, kind: RequestKind, key: str) -> Fault | None:
        """The fault that a request meets, if any; every fault counts the request."""
        with self._lock:
            hit = [fault for fault in self._faults if fault.applies(kind, key)]
        return hit[0] if hit else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = BACKLOG
    proxy: S3FaultProxy

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that closes its connection is not reported."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *arguments: object) -> None:
        """Requests are kept in `proxy.requests`."""

    def handle_request(self) -> None:
        """Pass one request on, unless a fault forbids it."""
        proxy, size = self.server.proxy, int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        kind, key = classify(self.command, self.path, "x-amz-copy-source" in self.headers)
        fault = proxy.choose(kind, key)

        def record(status: int) -> None:
            proxy.requests.append(Request(kind, self.command, key, size, status))

        if fault is None:
            self._forward(body, record)
            return
        match fault.effect:
            case Status(code, name):
                record(code)
                self._refuse(code, name, key)
            case Delay(seconds):
                fault.healed.wait(seconds)
                self._forward(body, record)
            case Stall(after_reply):
                if after_reply:
                    self._ask(body)
                    fault.processed += 1
                fault.healed.wait()
                record(0)
                self._reset()
            case Reset(after_reply):
                if after_reply:
                    self._ask(body)
                record(0)
                self._reset()

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_request  # noqa: N815

    def _forward(self, body: bytes, record: Callable[[int], None]) -> None:
        try:
            status, reason, headers, answer = self._ask(body)
        except (OSError, http.client.HTTPException):
            record(0)
            self._reset()  # the store is gone: so is the connection
            return
        record(status)
        self.send_response_only(status, reason)
        for name, value in headers:
            if name.lower() not in (*HOP_BY_HOP, "content-length"):
                self.send_header(name, value)
        length = len(answer)
        if self.command == "HEAD":
            length = int({name.lower(): value for name, value in headers}.get("content-length", 0))
        if status not in (204, 304):
            self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(answer)

    def _ask(self, body: bytes) -> tuple[int, str, list[tuple[str, str]], bytes]:
        """What the store answers to this request."""
        connection = http.client.HTTPConnection(
            *self.server.proxy.upstream, timeout=UPSTREAM_SECONDS
        )
        try:
            connection.putrequest(
                self.command, self.path, skip_host=True, skip_accept_encoding=True
            )
            for name, value in self.headers.items():
                if name.lower() not in HOP_BY_HOP:
                    connection.putheader(name, value)
            connection.endheaders(body)
            response = connection.getresponse()
            return response.status, response.reason, response.getheaders(), response.read()
        finally:
            connection.close()

    def _refuse(self, code: int, name: str, key: str) -> None:
        body = (
            f"<?xml version='1.0'?><Error><Code>{name}</Code>"
            f"<Message>refused on purpose</Message><Key>{key}</Key></Error>"
        ).encode()
        self.send_response_only(code, name)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _reset(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            # Closing with unsent data dropped is what makes it a reset and not an orderly end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.shutdown(socket.SHUT_RD)
            self.connection.close()


def own_address_towards(host: str, port: int) -> str:
    """This machine's address on the way to another one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((host, port))
        return str(probe.getsockname()[0])
