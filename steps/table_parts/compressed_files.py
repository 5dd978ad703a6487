"""Files of a part as ClickHouse compresses them: blocks, each with its method and its sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CHECKSUMS_HEADER = b"checksums format version: 4\n"
HASH_BYTES = 16
# Behind the hash of a block: its method, its compressed size (these nine bytes included) and its size.
HEADER_BYTES = 9
METHODS = {0x02: "NONE", 0x82: "LZ4", 0x90: "ZSTD", 0x91: "Multiple"}
_DECODERS = {"LZ4": "lz4_raw", "ZSTD": "zstd"}


@dataclass(frozen=True)
class Block:
    """A compressed block: the method and what it holds, decompressed if the method is a plain one."""

    method: str
    compressed_bytes: int
    content: bytes


def blocks(data: bytes) -> Iterator[Block]:
    """The blocks of a compressed file, one after the other, to its last byte."""
    position = 0
    while position < len(data):
        header = data[position + HASH_BYTES : position + HASH_BYTES + HEADER_BYTES]
        assert len(header) == HEADER_BYTES, f"half a header at byte {position} of {len(data)}"
        method = METHODS.get(header[0])
        assert method, f"no compression method at byte {position}: {header[0]:#x}"
        length, size = (int.from_bytes(header[start : start + 4], "little") for start in (1, 5))
        end = position + HASH_BYTES + length
        assert end <= len(data), f"half a block at byte {position} of {len(data)}"
        packed = data[position + HASH_BYTES + HEADER_BYTES : end]
        yield Block(method, len(packed), _decompressed(method, packed, size))
        position = end


def decompressed(file: Path) -> bytes:
    """What a compressed file holds."""
    return b"".join(block.content for block in blocks(file.read_bytes()))


def listed_files(checksums: Path) -> dict[str, int]:
    """The files that checksums.txt lists, with the size that each has to have."""
    data = checksums.read_bytes()
    assert data.startswith(CHECKSUMS_HEADER), f"checksums.txt begins with {data[:30]!r}"
    content = b"".join(block.content for block in blocks(data[len(CHECKSUMS_HEADER) :]))
    reader = _Reader(content)
    listed = {}
    for _ in range(reader.number()):
        name = reader.take(reader.number()).decode()
        listed[name] = reader.number()
        reader.take(HASH_BYTES)
        if reader.take(1) == b"\1":
            reader.number()
            reader.take(HASH_BYTES)
    assert reader.at_end, f"checksums.txt has more in it than {len(listed)} files"
    return listed


class _Reader:
    """Numbers of variable length, and bytes."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._position = 0

    @property
    def at_end(self) -> bool:
        return self._position == len(self._content)

    def take(self, count: int) -> bytes:
        taken = self._content[self._position : self._position + count]
        assert len(taken) == count, f"the content ends before {count} more bytes"
        self._position += count
        return taken

    def number(self) -> int:
        value = shift = 0
        while True:
            (byte,) = self.take(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value


def _decompressed(method: str, packed: bytes, size: int) -> bytes:
    if method not in _DECODERS:
        return packed
    import pyarrow  # here: half a second

    content: bytes = pyarrow.Codec(_DECODERS[method]).decompress(packed, size).to_pybytes()
    return content
