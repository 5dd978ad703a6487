"""A ClickHouse server over HTTP: statements, rows and Arrow streams, in both directions.

A subclass may send statements by another way: what the driver sends goes through `execute` and `stream`,
what Spark's workers will send through `prepare`.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import re
import urllib.parse
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, cast

import pyarrow as pa

from pipelines.clickhouse import http as clickhouse_http
from pipelines.clickhouse.http import CODE, Refused, refusal
from pipelines.errors import PipelineError, Unavailable

SECONDS = 600.0
END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"
TAIL = 16_384
# Servers parse 262,144 bytes of a statement unless they are told otherwise.
LARGE_STATEMENT = 200_000
CREDENTIALS_REFUSED = {
    193: "WRONG_PASSWORD",
    194: "REQUIRED_PASSWORD",
    516: "AUTHENTICATION_FAILED",
}
Settings = Mapping[str, str | int]


class QueryRefused(PipelineError):
    """The server answered with an error; `code` is its number."""

    def __init__(self, text: str, code: int = 0) -> None:
        super().__init__(text)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return PipelineError, self.args  # across processes it is an error like the others


@dataclass(frozen=True)
class PreparedQuery:
    """A statement that a worker sends, with its query id; or its answer, if that is known already."""

    sql: str
    settings: Settings
    query_id: str
    answer: bytes | None = None


@dataclass(frozen=True)
class Server:
    """Where a ClickHouse server is and who asks; `url` is http://host:port."""

    url: str
    user: str = "default"
    password: str = field(default="", repr=False)
    database: str = "default"

    def __post_init__(self) -> None:
        if "@" in self.url:  # not repeated here: whoever reads the error would read it
            raise PipelineError("A ClickHouse server's URL has no user and password in it.")
        try:
            parts = urllib.parse.urlsplit(self.url)
            good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:  # a port that is no number, or too large, or brackets that do not match
            good = False
        good = good and self.url.isprintable() and " " not in self.url
        if not good:
            raise PipelineError(f"A ClickHouse server is http://host:port, not '{self.url}'.")
        for name in ("user", "password"):
            if not getattr(self, name).isprintable():
                raise PipelineError(
                    f"The {name} for {self.url} has a line break or the like in it."
                )

    def options(self) -> dict[str, str]:
        """The options by which the data source 'clickhouse' finds this server."""
        names = ("url", "user", "password", "database")
        return {name: getattr(self, name) for name in names}

    def run(self, sql: str, **settings: str | int) -> None:
        """Run a statement to its end."""
        self.execute(sql, settings)

    def rows(self, sql: str, **settings: str | int) -> list[list[Any]]:
        """The rows of a small answer; numbers beyond 2^53 arrive as text."""
        answer = self.execute(sql, {"default_format": "JSONCompact", **settings})
        try:
            return list(json.loads(answer)["data"])
        except (ValueError, KeyError, TypeError):
            raise PipelineError(
                f"What answers at {self.url} is no ClickHouse: {answer[:60]!r}."
            ) from None

    def prepare(self, sql: str, settings: Settings) -> PreparedQuery:
        """A statement for `batches_of`, which is called in another process."""
        return PreparedQuery(sql, settings, str(uuid.uuid4()))

    def batches_of(self, statement: PreparedQuery) -> Iterator[pa.RecordBatch]:
        """The answer to a prepared statement."""
        if statement.answer is not None:
            return iter(pa.ipc.open_stream(statement.answer) if statement.answer else ())
        from pyspark import TaskContext

        # An earlier attempt of this task may still run on the server, under the same id.
        context = TaskContext.get()
        attempt = f"-{context.attemptNumber()}" if context and context.attemptNumber() else ""
        settings = {**statement.settings, "query_id": f"{statement.query_id}{attempt}"}
        return self.batches(statement.sql, **settings)

    def batches(self, sql: str, **settings: str | int) -> Iterator[pa.RecordBatch]:
        """The answer as Arrow batches, as they arrive; strings arrive as bytes."""
        everything = {
            "default_format": "ArrowStream",
            "output_format_arrow_string_as_string": 0,
            "output_format_arrow_compression_method": "none" if self.is_near else "lz4_frame",
            **settings,
        }
        with self.stream(sql, everything) as answer:
            stream = _Watched(answer)
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
        data = _Encoded(schema, batches)
        self.execute(sql, settings, data)
        return data.rows

    @property
    def is_near(self) -> bool:
        return urllib.parse.urlsplit(self.url).hostname in ("localhost", "127.0.0.1", "::1")

    def execute(self, sql: str, settings: Settings, data: Iterable[bytes] | None = None) -> bytes:
        """The whole answer to a statement; `data` is what an INSERT inserts."""
        with self.stream(sql, {"wait_end_of_query": 1, **settings}, data) as response:
            try:
                return bytes(response.read())
            except (OSError, http.client.HTTPException) as error:
                raise Unavailable(
                    f"The answer of ClickHouse at {self.url} broke off: {error}."
                ) from None

    @contextlib.contextmanager
    def stream(
        self, sql: str, settings: Settings, data: Iterable[bytes] | None = None
    ) -> Iterator[IO[bytes]]:
        """The answer to a statement as it arrives."""
        if len(sql) > LARGE_STATEMENT:  # of thousands of columns
            settings = {"max_query_size": 8 * len(sql), **settings}
        try:
            with clickhouse_http.request(
                self.url,
                sql,
                user=self.user,
                password=self.password,
                parameters={"database": self.database, **settings},
                data=data,
                seconds=SECONDS,
            ) as response:
                yield cast(IO[bytes], response)
        except Refused as refused:
            raise self._refusal(refused) from None
        except OSError as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise Unavailable(f"ClickHouse at {self.url} does not answer: {reason}.") from None

    def _refusal(self, refused: Refused) -> QueryRefused:
        if refused.code in CREDENTIALS_REFUSED:
            return QueryRefused(
                f"ClickHouse at {self.url} refused the credentials of user '{self.user}' "
                f"(code {refused.code}, {CREDENTIALS_REFUSED[refused.code]}).",
                refused.code,
            )
        text = re.sub(r"\s*\(version .*", "", refused.message, flags=re.DOTALL)
        text = text.partition("DB::Exception: ")[2] or text
        return QueryRefused(
            f"ClickHouse at {self.url} refused (code {refused.code}): {text[:700]}", refused.code
        )

    def _cut_short(self, stream: _Watched, words: str) -> PipelineError:
        """Why a stream broke off: the server writes its error into the stream, if it still can."""
        try:
            while stream.read(TAIL):
                pass
        except (OSError, http.client.HTTPException):
            pass
        text = bytes(stream.tail).decode("utf-8", "replace")
        if CODE.search(text):
            return self._refusal(refusal(text))
        return Unavailable(f"The answer of ClickHouse at {self.url} broke off: {words}.")


class _Watched(io.RawIOBase):
    """A response that remembers the last bytes read from it."""

    def __init__(self, response: IO[bytes]) -> None:
        self._response = response
        self.tail = bytearray()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        try:
            data = self._response.read(size) if size >= 0 else self._response.read()
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
