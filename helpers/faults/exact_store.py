"""A store in memory that keeps names of objects as they are, for what a real store changes.

    with ExactStore(near=store.url) as exact:
        exact.objects["bucket/k=a\\\\b/data.tsv"] = b"1"
        …                       # statements that read from exact.url
        exact.requests          # everything that was asked, in order

It supports listing and reading, and does not check credentials.
"""

from __future__ import annotations

import re
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

from helpers.faults.s3_proxy import own_address_towards
from helpers.faults.s3_requests import Request, RequestKind, classify
from helpers.faults.serving import BACKLOG, Serving

MODIFIED = ("Thu, 01 Jan 2026 00:00:00 GMT", "2026-01-01T00:00:00.000Z")
NOT_FOUND = (
    b"<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>"
)


class ExactStore(Serving):
    """Objects by bucket/name. It listens where servers reach it that reach the store at `near`."""

    def __init__(self, near: str) -> None:
        parsed = urllib.parse.urlsplit(near)
        host = own_address_towards(parsed.hostname or "", parsed.port or 80)
        self.objects: dict[str, bytes] = {}
        self.requests: list[Request] = []
        server = _Server((host, 0), _Handler)
        server.store = self
        self.url = f"http://{host}:{server.server_address[1]}"
        super().__init__(server, "exact store")

    def listed(self, bucket: str, prefix: str) -> bytes:
        """All names of a bucket that begin like this, on one page."""
        names = sorted(
            name
            for path in self.objects
            for owner, _, name in [path.partition("/")]
            if owner == bucket and name.startswith(prefix)
        )
        entries = "".join(
            f"<Contents><Key>{escape(name)}</Key><LastModified>{MODIFIED[1]}</LastModified>"
            f"<Size>{len(self.objects[f'{bucket}/{name}'])}</Size></Contents>"
            for name in names
        )
        return (
            f"<?xml version='1.0' encoding='UTF-8'?><ListBucketResult><Name>{bucket}</Name>"
            f"<KeyCount>{len(names)}</KeyCount><IsTruncated>false</IsTruncated>{entries}"
            "</ListBucketResult>"
        ).encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = BACKLOG
    store: ExactStore


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *arguments: object) -> None:
        """Requests are kept in `store.requests`."""

    def do_GET(self) -> None:
        store = self.server.store
        kind, key = classify(self.command, self.path)
        if kind == RequestKind.LIST:
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
            status, body = 200, store.listed(key.rstrip("/"), query.get("prefix", [""])[0])
        elif key in store.objects:
            status, body = self._part_of(store.objects[key])
        else:
            status, body = 404, NOT_FOUND
        store.requests.append(Request(kind, self.command, key, 0, status))
        self.send_response_only(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", MODIFIED[0])
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815

    def _part_of(self, content: bytes) -> tuple[int, bytes]:
        byte_range = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not byte_range:
            return 200, content
        first, last = int(byte_range[1]), int(byte_range[2] or len(content) - 1)
        return 206, content[first : last + 1]
