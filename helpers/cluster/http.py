"""ClickHouse over HTTP, for answers that are not rows: formats, uploads, raw bytes."""

from __future__ import annotations

import http.client
import urllib.parse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from helpers.timeouts import scaled

if TYPE_CHECKING:
    from helpers.cluster.session import Endpoint

HTTP_SECONDS = 60.0


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def post(
    endpoint: Endpoint,
    sql: str,
    user: str,
    password: str,
    database: str,
    body: bytes | None,
    parameters: Mapping[str, Any],
) -> bytes:
    """Send a query; with a body the query goes into the URL and the body is its data."""
    query: dict[str, str] = {name: str(value) for name, value in parameters.items()}
    # Errors while rows are being sent would otherwise arrive in the middle of them, as success.
    query.setdefault("wait_end_of_query", "1")
    if database:
        query["database"] = database
    if body is not None:
        query["query"] = sql
    connection = http.client.HTTPConnection(
        endpoint.host, endpoint.http_port, timeout=scaled(HTTP_SECONDS)
    )
    try:
        connection.request(
            "POST",
            "/?" + urllib.parse.urlencode(query),
            body=sql.encode() if body is None else body,
            headers={"X-ClickHouse-User": user, "X-ClickHouse-Key": password},
        )
        response = connection.getresponse()
        answer = response.read()
    except http.client.HTTPException as error:
        raise ConnectionError(f"HTTP: {error!r}") from error
    finally:
        connection.close()
    code = response.getheader("X-ClickHouse-Exception-Code")
    if code is not None:
        raise Refused(int(code), answer.decode("utf-8", "backslashreplace"))
    if response.status != 200:
        raise Refused(0, f"HTTP {response.status}: {answer[:300]!r}")
    return answer
