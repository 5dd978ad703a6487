"""File names of exported parts: the default cannot collide, a pattern is checked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import quoted
from pipelines.export.errors import ExportRefused
from pipelines.export.source import Part, ServerTable
from pipelines.s3.hive_folders import escape

DEFAULT_PATTERN = "{part}_{checksum}_{source}"
FIELD = re.compile(r"\{(\w*)\}")
FIELDS = ("part", "checksum", "source", "shard", "database", "table")
# Readers pass over names that begin with _ or with a full stop.
KEY_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
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


def names_of(source: ServerTable, given: str, is_place: bool) -> tuple[str, ...]:
    """The names of all keys where the expressions among them are given names, else none."""
    if not given:
        return ()
    if not is_place:
        raise ExportRefused(
            "BAD_ARGUMENTS", "The destination is a table: its key names the folders."
        )
    names = [name.strip() for name in given.split(",")]
    columns = [*source.columns, *map(quoted, source.columns)]
    expressions = [key for key in source.keys if key not in columns]
    taken = {name for name in names if name in source.columns or names.count(name) > 1}
    if taken or len(names) != len(expressions) or not all(map(KEY_NAME.fullmatch, names)):
        raise ExportRefused(
            "BAD_ARGUMENTS",
            f"'{given}' cannot name the folders: {source} has {len(expressions)} expressions in its key "
            f"({', '.join(expressions) or 'none'}), and each needs a name of letters, digits and _ that "
            "is not the name of a column.",
        )
    left = iter(names)
    return tuple(key.strip("`") if key in columns else next(left) for key in source.keys)


def has_own_layout(table: ServerTable) -> bool:
    """Whether folders are not those of the partition key: the same rows may lie in other ones."""
    return table.lake_key is not None or bool(table.folder_names)


def _shard(server: Server) -> str:
    rows = server.rows("SELECT substitution FROM system.macros WHERE macro = 'shard'")
    if not rows:
        raise ExportRefused(
            "BAD_ARGUMENTS",
            f"The name pattern has {{shard}}, and ClickHouse at {server.url} has no macro 'shard'.",
        )
    return str(rows[0][0])
