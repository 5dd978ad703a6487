"""What one task of an export does: ClickHouse encodes rows as Parquet, the task uploads the bytes.

The bytes become parts of a multipart upload that the driver began and completes. A task holds a few
parts in memory, whatever the number of its rows.
"""

from __future__ import annotations

import hashlib
import http.client
import io
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import IO

from pyspark import TaskContext

from pipelines.clickhouse.http import CODE, Refused, refusal
from pipelines.clickhouse.server import PreparedQuery, QueryRefused, Server
from pipelines.errors import PipelineError, Unavailable
from pipelines.export.transfer.parquet_join import MAGIC, TRAILER, footer_of, join, rows_in
from pipelines.export.transfer.retries import TRIES, retrying
from pipelines.s3.store import CHUNK, Pending, Store

# S3 takes smaller parts only at the end of an object.
SMALLEST_PART = 5 * 1024 * 1024
# The end of a file is not uploaded by its task: its footer will be another one. Where it turns out to be
# larger than expected, the next attempt holds back more.
HELD_BACK = 16 * 1024 * 1024
SMALL_FOOTER, CHUNKS_OF_SMALL_FOOTER = 1024 * 1024, 200
# How much a task may hand to the driver for the end of the file: results of more than a megabyte take a way
# through Spark that is slower.
MOST_INLINE = 256 * 1024
MOST_PARTS = 10_000
AT_ONCE = 2
# How often Spark may start a task, and how often the task may try: each has numbers of its own, so
# that a part of an earlier one that arrives late replaces nothing.
SPARK_ATTEMPTS = 4
# ClickHouse is too busy, or lost a connection.
BUSY = (159, 202, 209, 210, 241)


@dataclass(frozen=True)
class Segment:
    """A range of a part's rows and the numbers under which its bytes go into the upload.

    `part_size` is how large parts are at first, `held_back` how much of the end is not uploaded at once;
    `is_all` says that the part has no other segment.
    """

    server: Server
    statement: PreparedQuery
    store: Store
    upload: Pending
    first_number: int
    numbers: int
    part_size: int
    held_back: int
    is_all: bool
    bandwidth: float = 0.0

    @property
    def numbers_per_try(self) -> int:
        return self.numbers // (SPARK_ATTEMPTS * TRIES)

    def size_of(self, number: int) -> int:
        """How large a part is: all alike, so that memory does not depend on their number; they grow only
        where more than half of the numbers are used, so that the others are enough."""
        numbers = self.numbers_per_try
        return self.part_size * (1 + max(0, number - numbers // 2) // max(1, numbers // 16))


@dataclass(frozen=True)
class Piece:
    """What a task uploaded; what is too small for a part of its own comes along in `inline`.

    `end` is the end of the file, with its footer, where the task uploaded that as well.
    """

    rows: int
    size: int
    footer: bytes
    sha256: str
    numbers: tuple[int, ...]
    tags: tuple[str, ...]
    inline: bytes
    end: bytes
    throttled: int
    slept: float


def upload_or_error(numbered: tuple[int, Segment]) -> tuple[int, Piece | Exception]:
    """Upload a segment, which has the number of its part; what fails ends that part, not the job."""
    number, segment = numbered
    try:
        return number, upload_segment(segment)
    except PipelineError as error:
        return number, error


def upload_segment(segment: Segment) -> Piece:
    """Upload a segment, again from its beginning where a server or the store fails to answer."""
    for attempt in retrying():
        with attempt:
            return _upload(segment, attempt.retry_state.attempt_number - 1)
    raise AssertionError("the last attempt raises its error")


def _upload(segment: Segment, attempt: int) -> Piece:
    context = TaskContext.get()
    turn = (context.attemptNumber() if context else 0) * TRIES + attempt
    held_back = HELD_BACK if turn else segment.held_back
    parts = _Parts(segment, segment.first_number + turn * segment.numbers_per_try, held_back)
    throttle = _Throttle(segment.bandwidth)
    with parts:
        for data in _chunks(segment, turn):
            parts.write(data)
            throttle.pass_on(len(data))
        footer = footer_of(parts.held)
        if footer is None:
            raise _broken(segment, bytes(parts.held[-held_back:]), held_back)
        inline, end = parts.finish(len(parts.held) - len(footer) - TRAILER, footer)
    return Piece(
        rows=rows_in(footer),
        size=parts.size,
        footer=footer,
        sha256=parts.digest.hexdigest(),
        numbers=tuple(parts.numbers),
        tags=tuple(tag.result() for tag in parts.tags),
        inline=inline,
        end=end,
        throttled=throttle.bytes if segment.bandwidth else 0,
        slept=throttle.slept,
    )


def _chunks(segment: Segment, turn: int) -> Iterator[bytes]:
    """The encoded rows as they arrive."""
    statement = segment.statement
    # An earlier attempt may still run on the server under its id.
    query_id = f"{statement.query_id}-{turn}" if turn else statement.query_id
    answer: AbstractContextManager[IO[bytes]] = (
        segment.server.stream(statement.sql, {**statement.settings, "query_id": query_id})
        if statement.answer is None
        else nullcontext(io.BytesIO(statement.answer))
    )
    try:
        with answer as stream:
            while data := stream.read(CHUNK):
                yield data
    except QueryRefused as refused:
        if refused.code in BUSY:
            raise Unavailable(str(refused)) from None
        raise
    except (OSError, http.client.HTTPException) as error:
        if reason := _reason_in(getattr(error, "partial", b"")):
            raise _failed_while_sending(segment, reason) from None
        raise Unavailable(
            f"The answer of ClickHouse at {segment.server.url} broke off: {error}."
        ) from None


def _broken(segment: Segment, end: bytes, held_back: int) -> PipelineError:
    """Why an answer does not end as a Parquet file does."""
    if reason := _reason_in(end):
        return _failed_while_sending(segment, reason)
    if len(end) >= held_back and end.endswith(MAGIC):
        return _large_footer(held_back)
    return Unavailable(f"The answer of ClickHouse at {segment.server.url} ended too early.")


def _reason_in(end: bytes) -> Refused | None:
    """The error that a server writes behind the rows that it has sent already."""
    text = end[-4096:].decode("utf-8", "replace")
    found = CODE.search(text)
    return refusal(text[found.start() :]) if found else None


def _failed_while_sending(segment: Segment, reason: Refused) -> PipelineError:
    kind = Unavailable if reason.code in BUSY else PipelineError
    return kind(f"ClickHouse at {segment.server.url} failed while it sent rows: {reason}")


def _large_footer(held_back: int) -> PipelineError:
    """The next attempt holds back more, if there is more."""
    kind = PipelineError if held_back == HELD_BACK else Unavailable
    return kind(
        f"The footer of a Parquet file is larger than {held_back / CHUNK:.0f} MB: make its row groups "
        "larger, by output_format_parquet_row_group_size."
    )


class _Parts:
    """Bytes on their way into an upload, while the next ones are read; the last ones are held."""

    def __init__(self, segment: Segment, first: int, held_back: int) -> None:
        self._segment, self._first, self._held_back = segment, first, held_back
        self._pool = ThreadPoolExecutor(AT_ONCE)
        self.held = bytearray()
        self.numbers: list[int] = []
        self.tags: list[Future[str]] = []
        self.digest = hashlib.sha256()
        self.size = 0

    def __enter__(self) -> _Parts:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def write(self, data: bytes) -> None:
        self.held += data
        while len(self.held) >= (size := self._next_size) + self._held_back:
            self._send(size)

    def finish(self, size: int, footer: bytes) -> tuple[bytes, bytes]:
        """So many bytes are left of the body: wait until all is stored but what is too small for a part.

        Returns that, and the end of the file if it is stored too.
        """
        inline = end = b""
        if self._segment.is_all and size > MOST_INLINE:
            end = join([(footer, self.size + size)])
            self._send(size, end)
        elif size >= SMALLEST_PART:
            self._send(size)
        elif self.numbers and not self._segment.is_all:
            raise _large_footer(self._held_back)
        else:
            inline = self._take(size)
            self.digest.update(inline)
        for tag in self.tags:
            tag.result()
        return inline, end

    def _take(self, size: int) -> bytes:
        """The first of the bytes that are held, which are the next of the file."""
        with memoryview(self.held) as held:
            body = bytes(held[:size])
        del self.held[:size]
        self.size += size
        return body

    @property
    def _next_size(self) -> int:
        return self._segment.size_of(len(self.numbers))

    def _send(self, size: int, end: bytes = b"") -> None:
        """Upload the first of the bytes that are held, when fewer than AT_ONCE parts are on their way.

        `end` goes behind them into the same part.
        """
        if len(self.numbers) == self._segment.numbers_per_try:
            raise PipelineError("The part is too large for one object: S3 takes 10,000 pieces.")
        if len(self.tags) >= AT_ONCE:
            self.tags[-AT_ONCE].result()
        body = self._take(size)
        number = self._first + len(self.numbers)
        self.numbers.append(number)
        self.tags.append(self._pool.submit(self._put, number, body + end if end else body))
        self.digest.update(body)  # beside the upload

    def _put(self, number: int, body: bytes) -> str:
        return self._segment.store.upload_part(self._segment.upload, number, body)


class _Throttle:
    """Sleeps so that no more bytes than allowed pass in a second."""

    def __init__(self, bandwidth: float) -> None:
        self._bandwidth, self._started = bandwidth, time.monotonic()
        self.bytes, self.slept = 0, 0.0

    def pass_on(self, size: int) -> None:
        self.bytes += size
        if not self._bandwidth:
            return
        early = self.bytes / self._bandwidth - (time.monotonic() - self._started)
        if early > 0:
            time.sleep(early)
            self.slept += early
