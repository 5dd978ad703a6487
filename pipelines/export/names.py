"""File names of exported parts: the default cannot collide, a pattern is checked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.clickhouse.server import Server
from pipelines.export.errors import ExportRefused
from pipelines.export.source import Part, ServerTable
from pipelines.s3.hive_folders import escape

DEFAULT_PATTERN = "{part}_{checksum}_{source}"
FIELD = re.compile(r"\{(\w*)\}")
FIELDS = ("part", "checksum", "source", "shard", "database", "table")
# Readers pass over names that begin with _ or with a full stop.
NAME = re.compile(r"[^_./{}\s][^/{}\x00-\x1f\x7f]*")


@dataclass(frozen=True)
class FileNames:
    """The names of the files of one table, without their extension."""

    pattern: str
    values: dict[str, str]

    @classmethod
    def of(cls, server: Server, table: ServerTable, pattern: str) -> FileNames:
        """A pattern with the values of this table, or a refusal."""
        fields = FIELD.findall(pattern)
        unknown = [field for field in fields if field not in FIELDS]
        if unknown or "part" not in fields or not NAME.fullmatch(FIELD.sub("x", pattern)):
            raise ExportRefused(
                "BAD_ARGUMENTS",
                f"The name pattern '{pattern}' is not usable: it needs {{part}}, may have "
                f"{', '.join(f'{{{name}}}' for name in FIELDS[1:])}, and is a file name that begins "
                "neither with _ nor with a full stop.",
            )
        values = {
            "source": table.identity.digest,
            "database": escape(table.database),
            "table": escape(table.name),
        }
        if "shard" in fields:
            values["shard"] = escape(_shard(server))
        return cls(pattern, values)

    def name(self, part: Part) -> str:
        values = {**self.values, "part": part.name, "checksum": part.checksum}
        return FIELD.sub(lambda match: values[match[1]], self.pattern)


def _shard(server: Server) -> str:
    rows = server.rows("SELECT substitution FROM system.macros WHERE macro = 'shard'")
    if not rows:
        raise ExportRefused(
            "BAD_ARGUMENTS",
            f"The name pattern has {{shard}}, and ClickHouse at {server.url} has no macro 'shard'.",
        )
    return str(rows[0][0])
