"""Arrow columns out of bits that look random and are a function of a seed, a name and row numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
MOST_EIGHTS = 16
MOST_ITEMS = 4
WHOLE = 2**64


def bits(rows: Words, seed: int, column: str) -> Words:
    """64 bits for each row."""
    start = seed % WHOLE
    for byte in column.encode():  # far from where other columns start
        start = int(mixed(np.array([start ^ byte], np.uint64), 1)[0])
    return mixed(rows, start)


def mixed(numbers: Words, start: int) -> Words:
    """Numbers scattered over 64 bits (the mixing of SplitMix64)."""
    words: Words = numbers * np.uint64(0x9E3779B97F4A7C15)
    words += np.uint64(start)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words ^= words >> np.uint64(shift)
        words *= np.uint64(factor)
    words ^= words >> np.uint64(31)
    return words


def share(words: Words, part: float) -> Flags:
    """True for this share of the rows."""
    if part >= 1:
        return np.ones(len(words), np.bool_)
    return words < np.uint64(int(part * WHOLE))


def signed(words: Words, width: int) -> Numbers:
    """Numbers of this many bits, half of them below zero."""
    return (words >> np.uint64(64 - width)).view(np.int64) - np.int64(2 ** (width - 1))


def decimals(
    low: Numbers, high: Numbers | None, precision: int, scale: int, missing: Flags
) -> pa.Array:
    """Decimals of 128 bits; without the high half they are as long as the low one."""
    both = np.empty((len(low), 2), np.int64)
    both[:, 0] = low
    both[:, 1] = low >> np.int64(63) if high is None else high
    both[missing] = 0
    buffers = [_validity(missing), pa.py_buffer(both)]
    return pa.Array.from_buffers(pa.decimal128(precision, scale), len(low), buffers)


def names(words: Words, different: int, missing: Flags) -> pa.Array:
    """Short texts, this many different ones."""
    numbers = pa.array((words % np.uint64(different)).view(np.int64), mask=missing)
    return pc.binary_join_element_wise("name-", numbers.cast(pa.string()), "")


def instants(days: Words, words: Words) -> pa.Array:
    """A microsecond of each of these days since 1970."""
    day = np.uint64(86_400_000_000)
    return pa.array((days * day + words % day).view(np.int64)).cast(pa.timestamp("us", "UTC"))


def sixteen_bytes(first: Words, second: Words) -> pa.Array:
    """Bytes that are no text."""
    both = np.stack([first, second], axis=1)
    offsets = np.arange(len(first) + 1, dtype=np.int32) * np.int32(16)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(both)]
    return pa.Array.from_buffers(pa.binary(), len(first), buffers)


def texts(words: Words, missing: Flags) -> pa.Array:
    """Up to 128 letters, in steps of eight, since that is how many are made at once."""
    lengths = (words % np.uint64(MOST_EIGHTS + 1)).astype(np.int32)
    lengths[missing] = 0
    offsets = _offsets(lengths)
    letters = _spread(words, lengths, offsets) & np.uint64(0x0F0F0F0F0F0F0F0F)
    letters += np.uint64(0x6161616161616161)
    buffers = [_validity(missing), pa.py_buffer(offsets * np.int32(8)), pa.py_buffer(letters)]
    return pa.Array.from_buffers(pa.string(), len(words), buffers)


def lists(words: Words, sizes: Words) -> pa.Array:
    """Lists of up to four numbers."""
    lengths = (sizes % np.uint64(MOST_ITEMS + 1)).astype(np.int32)
    offsets = _offsets(lengths)
    items = (_spread(words, lengths, offsets) >> np.uint64(32)).astype(np.uint32).view(np.int32)
    kind = pa.list_(pa.field("element", pa.int32(), False))
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(items), type=kind)


def _spread(words: Words, lengths: npt.NDArray[np.int32], offsets: npt.NDArray[np.int32]) -> Words:
    """As many words for each row as its length says, which depend on nothing but the row's own."""
    starts = words + np.uint64(1)
    starts -= offsets[:-1].astype(np.uint64)
    return mixed(np.repeat(starts, lengths) + np.arange(offsets[-1], dtype=np.uint64), 0)


def _offsets(lengths: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _validity(missing: Flags) -> pa.Buffer:
    return pa.py_buffer(np.packbits(~missing, bitorder="little"))
