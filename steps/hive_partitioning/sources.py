"""The same hive-partitioned rows behind every function and engine that reads files: S3, local files, URL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from helpers.cluster.client.recording import literal
from helpers.scenario.step import step
from steps.hive_partitioning.objects import Lake, new_lake
from steps.hive_partitioning.queries import from_s3, hive_table, s3_table

YEARS, COUNTRIES = (2020, 2021, 2022), ("DE", "FR", "US")
# A file's rows are its number and its number + 100.
NUMBERS = {
    (year, country): 3 * YEARS.index(year) + COUNTRIES.index(country) + 1
    for year in YEARS
    for country in COUNTRIES
}
STRUCTURE = "id UInt32"
ALL_FILES = len(NUMBERS)
ROWS_A_FILE = 2


def path_of(year: int | str, country: str) -> str:
    """The path of a file, or of several where a pattern is given."""
    return f"year={year}/country={country}/data.tsv"


def rows_of(*numbers: int) -> list[tuple[int]]:
    """The rows of these files, sorted."""
    return sorted((number + more,) for number in numbers for more in (0, 100))


def all_rows() -> list[tuple[int]]:
    """The rows of all files, sorted."""
    return rows_of(*NUMBERS.values())


def keyed_rows() -> list[tuple[int, int, str]]:
    """All rows with the keys of their paths, sorted."""
    return sorted(
        (number + more, year, country)
        for (year, country), number in NUMBERS.items()
        for more in (0, 100)
    )


@step("I write an object for each year and country")
def filled_lake(**options: Any) -> Lake:
    """A lake with one object for each year and country."""
    objects = {path_of(*keys): f"{n}\n{n + 100}\n" for keys, n in NUMBERS.items()}
    return new_lake(objects=objects, **options)


def put_files(lake: Lake) -> None:
    """The same as files of the server itself."""
    for keys, number in NUMBERS.items():
        lake.node.query(
            f"INSERT INTO FUNCTION {_file(lake, path_of(*keys))} "
            f"SELECT {number} UNION ALL SELECT {number + 100}"
        )
    rows = sorted(lake.node.query(f"SELECT * FROM {_file(lake, path_of('*', '*'))}"))
    assert rows == all_rows(), f"the fixture is wrong: the files have {rows}"


def functions(lake: Lake) -> dict[str, str]:
    """Every function that reads files, over all objects; their files and rights are made here."""
    put_files(lake)
    lake.publish()
    return {
        "s3": from_s3(lake, "year=*/country=*/*.tsv"),
        "file": _file(lake, "year=*/country=*/*.tsv"),
        "url": f"url({literal(_address(lake))}, 'TSV', '{STRUCTURE}')",
    }


def tables(lake: Lake, settings: Mapping[str, Any] | None = None) -> dict[str, str]:
    """A table of every engine over the same; after `functions`, which makes the files."""
    engines = {
        "File": f"File(TSV, {literal(lake.filename('year=*/country=*/*.tsv'))})",
        "URL": f"URL({literal(_address(lake))}, TSV)",
    }
    made = {name: hive_table(lake, engine, settings=settings) for name, engine in engines.items()}
    made["S3"] = s3_table(lake, "year=*/country=*/*.tsv", settings=settings)
    return {name: str(table) for name, table in made.items()}


def _file(lake: Lake, path: str) -> str:
    return f"file({literal(lake.filename(path))}, TSV, '{STRUCTURE}')"


def _address(lake: Lake) -> str:
    years, countries = ",".join(map(str, YEARS)), ",".join(COUNTRIES)
    return lake.url(f"year={{{years}}}/country={{{countries}}}/data.tsv")
