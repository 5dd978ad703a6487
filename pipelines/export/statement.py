"""The statement ALTER TABLE … EXPORT PART … TO TABLE … for servers that do not have it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from pipelines.export.errors import ExportRefused
from pipelines.export.exporter import Exporter, Outcome
from pipelines.export.options import ERROR, OVERWRITE, SKIP, Options
from pipelines.export.plan import Request

NAME = r"((?:`[^`]+`|\w+)(?:\s*\.\s*(?:`[^`]+`|\w+))?)"
STATEMENT = re.compile(
    rf"\s*ALTER\s+TABLE\s+{NAME}\s+EXPORT\s+PART\s+'((?:[^'\\]|\\.)+)'\s+TO\s+TABLE\s+{NAME}"
    r"(?:\s+SETTINGS\s+(.+?))?\s*;?\s*",
    re.IGNORECASE | re.DOTALL,
)
SETTING = re.compile(r"(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|[\w.+-]+)")
ALLOWED = "allow_experimental_export_merge_tree_part"
OVERWRITES = "export_merge_tree_part_overwrite_file_if_exists"
POLICY = "export_merge_tree_part_file_already_exists_policy"
PARALLEL = "output_format_parallel_formatting"
OFF = ("0", "false")


@dataclass(frozen=True)
class ExportStatement:
    """What a statement says."""

    source: str
    part: str
    destination: str
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def request(self) -> Request:
        return Request(self.source, self.destination, part=self.part)

    def options(self, options: Options) -> Options:
        """The options that the settings amount to; those of the feature itself are not sent on."""
        if self.settings.get(ALLOWED, "0") in OFF:
            raise ExportRefused(
                "SUPPORT_IS_DISABLED",
                f"Exporting merge tree part is experimental. Set the setting `{ALLOWED}` to enable it",
            )
        others = {
            name: value
            for name, value in self.settings.items()
            if name not in (ALLOWED, OVERWRITES, POLICY)
        }
        if others.get(PARALLEL) in OFF:
            # Parquet has a setting of its own for the same.
            others |= {"output_format_parquet_parallel_encoding": "0", "max_threads": "1"}
        if_exists = self.settings.get(POLICY, ERROR if OVERWRITES in self.settings else SKIP)
        if self.settings.get(OVERWRITES, "0") not in OFF:
            if_exists = OVERWRITE
        return replace(options, if_exists=if_exists, settings={**options.settings, **others})


def parse(sql: str) -> ExportStatement:
    """A statement, or the error ClickHouse has for one that is none."""
    match = STATEMENT.fullmatch(sql)
    if match is None:
        raise ExportRefused(
            "SYNTAX_ERROR",
            "The statement is ALTER TABLE [db.]source EXPORT PART 'part' TO TABLE [db.]destination "
            f"[SETTINGS name = value, …], not: {sql[:200]}",
        )
    texts = [text.strip() for text in (match[4] or "").split(",") if text.strip()]
    pairs = [SETTING.fullmatch(text) for text in texts]
    if None in pairs:
        raise ExportRefused("SYNTAX_ERROR", f"Settings are name = value, not: {match[4]}")
    settings = {pair[1]: pair[2].strip("'") for pair in pairs if pair}
    part = re.sub(r"\\(.)", r"\1", match[2])
    return ExportStatement(match[1], part, match[3], settings)


def execute(exporter: Exporter, sql: str) -> Outcome:
    """Execute a statement and wait for the end of the export; an error is in the outcome."""
    statement = parse(sql)
    adapted = exporter.with_options(statement.options(exporter.options))
    (outcome,) = adapted.export(statement.request)
    return outcome
