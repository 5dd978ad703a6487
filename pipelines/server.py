"""A ClickHouse server over HTTP: statements, rows and Arrow streams, in both directions."""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import re
import ssl
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from pipelines.errors import PipelineError

SECONDS = 600.0
CODE = re.compile(r"Code: (\d+)\. DB::Exception: (.+)", re.DOTALL)
END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"
TAIL = 16_384
CREDENTIALS_REFUSED = (193, 194, 516)
Settings = Mapping[str, str | int]


class QueryRefused(PipelineError):
    """The server answered with an error; `code` is its number."""

    def __init__(self, text: str, code: int = 0) -> None:
        super().__init__(text)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return PipelineError, self.args  # across processes it is an error like the others


@dataclass(frozen=True)
class Server:
    """Where a ClickHouse server is and who asks; `url` is http://host:port."""

    url: str
    user: str = "default"
    password: str = field(default="", repr=False)
    database: str = "default"

    def __post_init__(self) -> None:
        parts = urllib.parse.urlsplit(self.url)
        if "@" in parts.netloc:  # not repeated here: whoever reads the error would read it
            raise PipelineError("A ClickHouse server's URL has no user and password in it.")
        try:
            good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:  # a port that is no number, or too large
            good = False
        if not good:
            raise PipelineError(f"A ClickHouse server is http://host:port, not '{self.url}'.")
        for name in ("user", "password"):
            if not getattr(self, name).isprintable():
                raise PipelineError(
                    f"The {name} for {self.url} has a line break or the like in it."
                )

    def options(self) -> dict[str, str]:
        """The options by which the data source 'clickhouse' finds this server."""
        return {
            "url": self.url,
            "user": self.user,
            "password": self.password,
            "database": self.database,
        }

    def run(self, sql: str, **settings: str | int) -> None:
        """Run a statement to its end."""
        self._whole(sql, {"wait_end_of_query": 1, **settings})

    def rows(self, sql: str, **settings: str | int) -> list[list[Any]]:
        """The rows of a small answer; numbers beyond 2^53 arrive as text."""
        everything = {"wait_end_of_query": 1, "default_format": "JSONCompact", **settings}
        answer = self._whole(sql, everything)
        try:
            return list(json.loads(answer)["data"])
        except (ValueError, KeyError, TypeError):
            raise PipelineError(
                f"What answers at {self.url} is no ClickHouse: {answer[:60]!r}."
            ) from None

    def batches(self, sql: str, **settings: str | int) -> Iterator[pa.RecordBatch]:
        """The answer as Arrow batches, as they arrive; strings arrive as bytes."""
        everything = {
            "default_format": "ArrowStream",
            "output_format_arrow_string_as_string": 0,
            "output_format_arrow_compression_method": "none" if self._is_near else "lz4_frame",
            **settings,
        }
        with self._answer(sql, everything) as response:
            stream = _Watched(response)
            try:
                yield from pa.ipc.open_stream(stream)
                complete = not stream.read(1) and stream.tail.endswith(END_OF_STREAM)
            except (OSError, http.client.HTTPException, pa.ArrowException) as error:
                raise self._cut_short(stream, str(error)) from None
            if not complete:
                raise self._cut_short(stream, "it ended too early")

    def insert(
        self, sql: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], **settings: str | int
    ) -> int:
        """Send Arrow batches as the data of an INSERT … FORMAT ArrowStream; the number of rows."""
        body = _Encoded(schema, batches)
        everything = {"wait_end_of_query": 1, "query": sql, **settings}
        self._whole(body, everything)
        return body.rows

    @property
    def _is_near(self) -> bool:
        return urllib.parse.urlsplit(self.url).hostname in ("localhost", "127.0.0.1", "::1")

    def _whole(self, body: str | _Encoded, settings: Settings) -> bytes:
        """An answer to its last byte."""
        with self._answer(body, settings) as response:
            try:
                return bytes(response.read())
            except (OSError, http.client.HTTPException) as error:
                raise PipelineError(
                    f"The answer of ClickHouse at {self.url} broke off: {error}."
                ) from None

    @contextlib.contextmanager
    def _answer(
        self, body: str | _Encoded, settings: Settings
    ) -> Iterator[http.client.HTTPResponse]:
        parts = urllib.parse.urlsplit(self.url)
        query = urllib.parse.urlencode({"database": self.database, **settings})
        where, host = f"/?{query}", parts.hostname or ""
        if parts.scheme == "https":
            context = ssl.create_default_context()
            port = parts.port or 8443
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, port, timeout=SECONDS, context=context
            )
        else:
            connection = http.client.HTTPConnection(host, parts.port or 8123, timeout=SECONDS)
        headers: dict[str, str | bytes] = {
            "X-ClickHouse-User": self.user.encode(),
            "X-ClickHouse-Key": self.password.encode(),
            "Connection": "close",
        }
        with contextlib.closing(connection):
            try:
                # A server that refuses stops listening; why it refused can still be read.
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    data = body.encode() if isinstance(body, str) else body
                    connection.request("POST", where, body=data, headers=headers)
                response = connection.getresponse()
                if response.status != 200:
                    raise self._refusal(response.read().decode("utf-8", "replace"), response.status)
            except (OSError, http.client.HTTPException) as error:
                words = getattr(error, "strerror", None) or str(error) or type(error).__name__
                raise PipelineError(f"ClickHouse at {self.url} does not answer: {words}.") from None
            with response:
                yield response

    def _refusal(self, text: str, status: int) -> QueryRefused:
        found = CODE.search(text)
        code = int(found[1]) if found else 0
        if code in CREDENTIALS_REFUSED:
            return QueryRefused(
                f"ClickHouse at {self.url} refused the credentials of user '{self.user}'.", code
            )
        words = found[2] if found else f"HTTP {status}: {text[:300]}"
        words = re.sub(r"\s*\(version .*", "", words, flags=re.DOTALL)
        return QueryRefused(f"ClickHouse at {self.url} refused (code {code}): {words[:700]}", code)

    def _cut_short(self, stream: _Watched, words: str) -> PipelineError:
        """Why a stream broke off: the server writes its error into the stream, if it still can."""
        try:
            while stream.read(TAIL):
                pass
        except (OSError, http.client.HTTPException):
            pass
        text = bytes(stream.tail).decode("utf-8", "replace")
        if CODE.search(text):
            return self._refusal(text, 200)
        return PipelineError(f"The answer of ClickHouse at {self.url} broke off: {words}.")


class _Watched(io.RawIOBase):
    """A response that remembers the last bytes read from it."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response
        self.tail = bytearray()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        try:
            data = self._response.read(size if size >= 0 else None)
        except http.client.IncompleteRead as error:
            self._remember(error.partial)
            raise
        self._remember(data)
        return data

    def _remember(self, data: bytes) -> None:
        self.tail = bytearray(data[-TAIL:]) if len(data) >= TAIL else (self.tail + data)[-TAIL:]


class _Encoded:
    """Batches as the bytes of an Arrow stream, made one by one as the connection asks for them."""

    def __init__(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        self._schema = schema
        self._batches = batches
        self.rows = 0

    def __iter__(self) -> Iterator[bytes]:
        sink = io.BytesIO()
        with pa.ipc.new_stream(sink, self._schema) as writer:
            for batch in self._batches:
                writer.write_batch(batch)
                self.rows += batch.num_rows
                yield sink.getvalue()
                sink.seek(0)
                sink.truncate()
        yield sink.getvalue()
