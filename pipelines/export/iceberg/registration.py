"""Register exported files in a table of Apache Iceberg: one snapshot adds all parts, without a copy.

Needs pyiceberg (`pip install 'pyiceberg[sql-sqlite]'`), which nothing else does. What a snapshot needs is
compared with the files that the table has, so a repeated registration adds nothing twice.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_exponential_jitter

from pipelines.errors import PipelineError, Unavailable
from pipelines.export.commit import EXTENSION, STEM, may_concern, overlaps, read_commits
from pipelines.export.errors import ExportRefused
from pipelines.export.iceberg.schema import check_range, schema_of, transforms_of
from pipelines.export.lock import ExportLock
from pipelines.export.names import has_own_layout
from pipelines.export.plan import Plan, PlannedPart

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog
    from pyiceberg.table import Table

# The launcher makes environments without pip.
INSTALL = f"python3 -m pip --python {sys.executable} install 'pyiceberg[sql-sqlite]==0.12.0'"
# Hive and Spark pass over folders that begin with _.
FOLDER = "_iceberg"
# Longer than the lock of a killed process on another machine lasts.
COMMIT_SECONDS = 120.0
# What the names of a part's several files end with.
NUMBER = re.compile(r"(?:\.\d+)?\.parquet$")
RETRIES = "commit.retry.num-retries"


@dataclass(frozen=True)
class Registration:
    """Where to register: the catalog's URI and the table in it, namespace.table."""

    catalog: str
    table: str

    def check(self, plans: Sequence[Plan]) -> None:
        """Refuse what Iceberg cannot have, before anything is written."""
        if importlib.util.find_spec("pyiceberg") is None:
            raise ExportRefused("SUPPORT_IS_DISABLED", f"Iceberg needs pyiceberg: {INSTALL}.")
        if not re.fullmatch(r"[^.\s]+\.[^.\s]+", self.table):
            raise ExportRefused(
                "BAD_ARGUMENTS", f"An Iceberg table is namespace.table, not '{self.table}'."
            )
        for plan in plans:
            transforms_of(plan)
            schema_of(plan)
            check_range(plan)
        try:
            catalog = _catalog(self.catalog, plans[0])
            table = catalog.load_table(self.table) if catalog.table_exists(self.table) else None
        except Exception as error:  # of pyiceberg, SQLAlchemy and HTTP
            reason = " ".join(str(error).split())
            raise Unavailable(f"Iceberg's catalog does not answer: {reason}") from None
        if table:
            self._refuse_other_places(table, plans)

    def register(self, plans: Sequence[Plan]) -> int:
        """Add the files of these plans that the table lacks, in one snapshot; their number.

        All of them must have been committed.
        """
        again = Retrying(
            retry=retry_if_exception(_is_of_others),
            stop=stop_after_delay(COMMIT_SECONDS),
            wait=wait_exponential_jitter(multiplier=0.1, max=3),
            reraise=True,
        )
        try:
            return again(self._register_alone, plans)
        except PipelineError:
            raise
        except (ValueError, TypeError) as error:  # other columns than the table has
            raise ExportRefused("BAD_ARGUMENTS", _failed(self, str(error))) from None
        except Exception as error:  # of pyiceberg, SQLAlchemy, pyarrow and HTTP
            raise Unavailable(_failed(self, f"{type(error).__name__}: {error}")) from None

    def _register_alone(self, plans: Sequence[Plan]) -> int:
        """One at a time: the metadata of a commit that lost would stay, and readers without a catalog,
        which take the newest metadata of the folder, could find it."""
        destination = plans[0].destination
        with ExportLock(destination.store, destination.place, f"iceberg-{self.table}"):
            return self._register_once(plans)

    def _refuse_other_places(self, table: Table, plans: Sequence[Plan]) -> None:
        """A table of ClickHouse that is exported to two places has its rows in both."""
        for plan in plans:
            name, place = _place_property(plan)
            known = table.properties.get(name, place)
            if known != place:
                raise ExportRefused(
                    "BAD_ARGUMENTS",
                    f"Iceberg's {self.table} has exports of {plan.source} in {known}: with those in {place} "
                    "its rows would be there twice. Register them under another name (--as).",
                )

    def _register_once(self, plans: Sequence[Plan]) -> int:
        table = self._table(plans[0])
        self._refuse_other_places(table, plans)
        # pyiceberg would repeat a commit as it is, after another one that added the same files.
        table.metadata.properties[RETRIES] = "0"
        with table.transaction() as transaction:
            entries = _entries(table)
            place = plans[0].destination.place
            sizes = dict(plans[0].destination.store.objects(place))
            wanted = {key for plan in plans for key in _files(plan, sizes)}
            removed = {one.file_path: one for plan in plans for one in _gone(plan, entries, sizes)}
            gone = list(removed.values())
            left = entries.keys() - {entry.file_path for entry in gone}
            missing = sorted({f"s3://{place.bucket}/{key}" for key in wanted} - left)
            if not missing and not gone:
                return 0
            transaction.set_properties(dict(map(_place_property, plans)))
            if gone:
                from pyiceberg.table import _parquet_files_to_data_files

                with transaction.update_snapshot().overwrite() as snapshot:
                    for entry in gone:
                        snapshot.delete_data_file(entry)
                    for entry in _parquet_files_to_data_files(
                        transaction.table_metadata, missing, table.io
                    ):
                        snapshot.append_data_file(entry)
            else:
                transaction.add_files(missing, check_duplicate_files=True)
        return len(missing)

    def _table(self, plan: Plan) -> Table:
        """The table, which is created if there is none."""
        from pyiceberg.exceptions import (
            NamespaceAlreadyExistsError,
            NoSuchTableError,
            TableAlreadyExistsError,
        )

        catalog = _catalog(self.catalog, plan)
        with suppress(NoSuchTableError):
            return catalog.load_table(self.table)
        namespace = self.table.partition(".")[0]
        with suppress(NamespaceAlreadyExistsError):
            catalog.create_namespace(namespace)
        place = plan.destination.place
        with suppress(TableAlreadyExistsError):  # by another export at the same time
            # A REST server decides where metadata lie.
            location = None if _is_rest(self.catalog) else str(place) + FOLDER
            transaction = catalog.create_table_transaction(
                self.table, schema_of(plan), location=location
            )
            with transaction as created, created.update_spec() as spec:
                for column, transform in transforms_of(plan):
                    spec.add_field(column, transform)
        return catalog.load_table(self.table)


def _place_property(plan: Plan) -> tuple[str, str]:
    """The property of Iceberg's table that says where the files of a source are."""
    return f"export.place.{plan.source.identity.digest}", str(plan.destination.place)


def _is_of_others(error: BaseException) -> bool:
    """Whether another export committed first; SQL catalogs say so in words of the database."""
    if isinstance(error, ExportRefused):
        return error.name == "PART_IS_TEMPORARILY_LOCKED"
    return type(error).__name__ in ("CommitFailedException", "OperationalError", "IntegrityError")


def _failed(registration: Registration, reason: str) -> str:
    reason = " ".join(reason.split()).rstrip(".")
    return (
        f"The files are exported, but not registered in Iceberg's {registration.table}: {reason}. Run the "
        "same command again to register them."
    )


def _catalog(uri: str, plan: Plan) -> Catalog:
    from pyiceberg.catalog import load_catalog

    store, place = plan.destination.store, plan.destination.place
    options = {
        "s3.endpoint": store.endpoint,
        "s3.access-key-id": store.access_key,
        "s3.secret-access-key": store.secret_key,
        "s3.region": store.region,
    }
    if _is_rest(uri):
        return load_catalog("export", type="rest", uri=uri, **options)
    return load_catalog("export", type="sql", uri=uri, warehouse=str(place) + FOLDER, **options)


def _is_rest(uri: str) -> bool:
    """Whether the catalog is a server; pyiceberg reads its warehouse and credential from the environment."""
    return uri.startswith(("http://", "https://"))


def _entries(table: Table) -> dict[str, Any]:
    """The data files of the current snapshot by their paths."""
    return {task.file.file_path: task.file for task in table.scan().plan_files()}


def _files(plan: Plan, sizes: Mapping[str, int]) -> Iterator[str]:
    """The files with the rows of the plan's parts: a part that was skipped may be in others."""
    folders: dict[str, list[str]] = {}
    for key in sizes:
        folders.setdefault(_folder(key), []).append(key)
    for planned in plan.parts:
        if planned.key in sizes:
            yield planned.key
        else:
            near = folders.get(_folder(planned.key), ())
            yield from _other_files(plan, planned, sizes if has_own_layout(plan.source) else near)


def _other_files(plan: Plan, planned: PlannedPart, beside: Iterable[str]) -> Iterator[str]:
    """The files with the rows of a part that has none of its own name."""
    destination, source = plan.destination, plan.source

    def concerns(stem: str) -> bool:
        return stem == planned.stem or may_concern(stem, source, planned.part)

    for commit in read_commits(destination.store, destination.place.bucket, beside, concerns):
        if commit.source == source.identity:
            yield from commit.keys


def _folder(key: str) -> str:
    return key.rpartition("/")[0]


def _gone(plan: Plan, entries: Mapping[str, Any], sizes: Mapping[str, int]) -> Iterator[Any]:
    """The files of the table that an export of these parts removed, replaced or wrote anew."""
    place = f"s3://{plan.destination.place.bucket}/"
    folders = {_folder(planned.key) for planned in plan.parts}
    whole = {NUMBER.sub(EXTENSION, key) for key in sizes}
    exported = [planned for planned in plan.parts if planned.key in whole]
    for path, entry in entries.items():
        key = path.removeprefix(place)
        is_changed = _folder(key) in folders and sizes.get(key) != entry.file_size_in_bytes
        if is_changed or _replaces(plan, path, exported):
            yield entry


def _replaces(plan: Plan, path: str, parts: Iterable[PlannedPart]) -> bool:
    """Whether one of these parts has the rows of a file under another name, which is gone then."""
    name = STEM.fullmatch(NUMBER.sub(EXTENSION, path).rpartition("/")[2].removesuffix(EXTENSION))
    if name is None or name["source"] != plan.source.identity.digest:
        return False
    return any(overlaps(name["part"], planned.part) for planned in parts)
