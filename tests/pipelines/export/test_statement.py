"""The statement EXPORT PART as text: what it says, and what is none."""

from __future__ import annotations

import pytest

from pipelines.export.errors import ExportRefused
from pipelines.export.options import Options
from pipelines.export.statement import parse

ALLOWED = "allow_experimental_export_merge_tree_part = 1"


def test_what_a_statement_says() -> None:
    read = parse(
        "alter table `my db`.visits EXPORT PART 'all_1_1_0'\n TO TABLE lake.visits "
        f"SETTINGS {ALLOWED}, max_threads = 3, output_format_parquet_compression_method = 'lz4';"
    )
    assert (read.source, read.part, read.destination) == (
        "`my db`.visits",
        "all_1_1_0",
        "lake.visits",
    )
    options = read.options(Options())
    assert options.if_exists == "skip"
    assert options.settings == {
        "max_threads": "3",
        "output_format_parquet_compression_method": "lz4",
    }


@pytest.mark.parametrize(
    ("setting", "policy"),
    [
        ("export_merge_tree_part_overwrite_file_if_exists = 1", "overwrite"),
        ("export_merge_tree_part_overwrite_file_if_exists = 0", "error"),
        ("export_merge_tree_part_file_already_exists_policy = 'error'", "error"),
        ("max_threads = 1", "skip"),
    ],
)
def test_settings_decide_about_files_that_are_there(setting: str, policy: str) -> None:
    read = parse(f"ALTER TABLE a EXPORT PART 'p' TO TABLE b SETTINGS {ALLOWED}, {setting}")
    assert read.options(Options()).if_exists == policy


def test_parallel_formatting_is_switched_off_for_parquet_too() -> None:
    setting = "output_format_parallel_formatting = 0"
    read = parse(f"ALTER TABLE a EXPORT PART 'p' TO TABLE b SETTINGS {ALLOWED}, {setting}")
    settings = read.options(Options()).settings
    assert settings["output_format_parquet_parallel_encoding"] == "0"


@pytest.mark.parametrize(
    "settings", ["", " SETTINGS allow_experimental_export_merge_tree_part = 0"]
)
def test_it_is_off_unless_allowed(settings: str) -> None:
    with pytest.raises(ExportRefused, match="SUPPORT_IS_DISABLED"):
        parse(f"ALTER TABLE a EXPORT PART 'p' TO TABLE b{settings}").options(Options())


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "ALTER TABLE a EXPORT PART p TO TABLE b",
        "ALTER TABLE a EXPORT PART '' TO TABLE b",
        "ALTER TABLE a EXPORT PART 'p' TO b",
        "ALTER TABLE a EXPORT PART 'p' TO TABLE b SETTINGS x",
        "ALTER TABLE a EXPORT PART 'p' TO TABLE b; DROP TABLE a",
    ],
)
def test_what_is_no_statement(sql: str) -> None:
    with pytest.raises(ExportRefused, match="SYNTAX_ERROR"):
        parse(sql)
