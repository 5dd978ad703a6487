"""ClickHouse's HTTP interface: a statement, its answer as bytes or as a stream, or a refusal."""

from __future__ import annotations

import contextlib
import http.client
import re
import ssl
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

# Servers before 20 put "displayText" where later ones have a full stop.
CODE = re.compile(r"Code: (\d+)(?:\.|, e\.displayText\(\) =) DB::Exception: ")


class Refused(Exception):
    """The server answered with an error: its number (0 if it has none) and its text."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@contextlib.contextmanager
def request(
    url: str,
    sql: str,
    *,
    user: str,
    password: str,
    parameters: Mapping[str, Any],
    data: bytes | Iterable[bytes] | None = None,
    seconds: float,
) -> Iterator[http.client.HTTPResponse]:
    """Send a statement; with data the statement goes into the URL and the data is the body.

    Raises Refused if the server refuses, and an OSError if it does not answer.
    """
    parts = urllib.parse.urlsplit(url)
    query = {**parameters, **({} if data is None else {"query": sql})}
    host = parts.hostname or ""
    if parts.scheme == "https":
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(
            host, parts.port or 8443, timeout=seconds, context=ssl.create_default_context()
        )
    else:
        connection = http.client.HTTPConnection(host, parts.port or 8123, timeout=seconds)
    headers: dict[str, str | bytes] = {
        "X-ClickHouse-User": user.encode(),
        "X-ClickHouse-Key": password.encode(),
        "Connection": "close",
    }
    with contextlib.closing(connection):
        try:
            # A server that refuses stops listening; why it refused can still be read.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                body = sql.encode() if data is None else data
                path = f"/?{urllib.parse.urlencode(query)}"
                connection.request("POST", path, body=body, headers=headers)
            response = connection.getresponse()
            code = response.getheader("X-ClickHouse-Exception-Code")
            if response.status != 200 or code is not None:
                text = response.read().decode("utf-8", "backslashreplace")
                raise refusal(text, int(code or 0), response.status)
        except http.client.HTTPException as error:
            raise ConnectionError(str(error) or type(error).__name__) from error
        with response:
            yield response


def post(url: str, sql: str, **options: Any) -> bytes:
    """The whole answer; options as of `request`."""
    # Errors while rows are being sent would otherwise arrive in the middle of them, as success.
    options["parameters"] = {"wait_end_of_query": 1, **options["parameters"]}
    with request(url, sql, **options) as response:
        try:
            return response.read()
        except http.client.HTTPException as error:
            raise ConnectionError(f"the answer broke off: {error}") from error


def refusal(text: str, code: int = 0, status: int = 200) -> Refused:
    """The exception for an error text of the server."""
    match = CODE.search(text)
    if not code and match is None:
        return Refused(0, f"HTTP {status}: {text[:300]}")
    return Refused(code or int(match[1] if match else 0), text)
