"""The checks of scenarios that need a server notice what is wrong."""

from __future__ import annotations

from pathlib import Path

from tests.runner.suite import Suite

BODY = """
from dataclasses import replace
from itertools import product

from scenarios.replacing_merge_tree.tables.create_refused import DELETED, refused_creations
from scenarios.table_parts.formats import self_contained_files as files
from steps.damage import damaged
from steps.refusals import Refusal, wrong_refusals
from steps.replacing_merge_tree.history_batch import HistoryBatch
from steps.replacing_merge_tree.refused_creations import refusal_violations
from steps.replacing_merge_tree.tables import deduplication_violations, replacing_table
from steps.table_parts.part_life import active_parts, rows_by_part
from steps.tables import create_table, insert

CHANGES = {
    "lost": lambda rows: rows[len(rows) // 2 :],
    "doubled": lambda rows: [*rows, rows[0]],
    "changed": lambda rows: [(*rows[0][:5], "another value", rows[0][6]), *rows[1:]],
}


@TestScenario
def an_accepted_statement_is_no_refusal(self):
    table = create_table("table")
    insert(table, [(1, 1, "row")])
    sql = f"INSERT INTO {table} SELECT 1, number, '' FROM numbers(1) WHERE number > 1"
    with Then("also one that changes nothing is named"):
        wrong = wrong_refusals(table, {"empty": Refusal(sql, 469, "above_zero")})
        assert wrong == {"empty": "accepted, but nothing was replaced"}, error()


@TestScenario
def metadata_of_a_part(self):
    table = files.inserted("p", compress_primary_key=0)
    part = next(iter(active_parts(table).values()))
    keys = files.numbers_left(part, deleted=False)
    garbage = {
        "count.txt": "garbled",
        "columns.txt": "garbled",
        "primary.idx": "garbled",
        # checksums.txt has the sizes of data files.
        "data.bin": "truncated",
    }
    with Then("damage in any file is named, and only that"):
        assert list(files.wrong_metadata(part, "primary.idx", keys)) == [], error()
        for file, how in garbage.items():
            with damaged([part.folder / file], how):
                assert len(list(files.wrong_metadata(part, "primary.idx", keys))) == 1, error()


@TestScenario
def partition_of_a_part(self):
    with Then("damage in any file is named, and only that"):
        for key, columns in files.KEYS.items():
            table = files.inserted(key)
            part = next(iter(active_parts(table).values()))
            read = rows_by_part(table, files.READ)[part.name]
            rows = [dict(zip(files.NAMES, row, strict=True)) for row in read]
            assert list(files.wrong_partition_of(part, key, rows)) == [], error()
            for file in ("partition.dat", *(f"minmax_{column}.idx" for column in columns)):
                with damaged([part.folder / file], "garbled"):
                    assert len(list(files.wrong_partition_of(part, key, rows))) == 1, error()


@TestScenario
def refused_tables(self):
    refusal, other, *_ = refused_creations()
    wrong = {
        "code": replace(refusal, name="code", code=36),
        "text": replace(refusal, name="text", text="another text"),
        "created": replace(refusal, name="created", creation=DELETED),
        "not created, the control": replace(refusal, name="not created", control=other.creation),
    }
    with Then("another code, another text, a table that is created and one that is not are named"):
        assert refusal_violations(wrong.values()).keys() == wrong.keys(), error()


@TestScenario
def survivor(self):
    inserts = ([(1, "ordered")], [(1, "sent")])
    with Then("another row is named, returned by FINAL and left by a merge"):
        named = deduplication_violations("t", replacing_table(), *inserts, expected=inserts[0])
        assert named == {"t, FINAL": inserts[1], "t, merged": inserts[1]}, error()


@TestScenario
def rows_of_histories(self):
    batch = HistoryBatch(1, 6)
    for number in range(6):
        batch.execute(number)
    batch.merge()
    stored, final = batch.rows()
    with Then("a row that is lost, doubled or changed is named in every table"):
        for number, history in enumerate(batch.histories):
            rows = {"stored": stored[number], "final": final[number]}
            assert history.violations(**rows) == {}, error()
            for where, change in product(rows, CHANGES):
                # Where merges run in the background a row that is there twice may be a duplicate.
                if (where, change) == ("stored", "doubled") and history.kind.background_merges:
                    continue
                changed = {**rows, where: CHANGES[change](rows[where])}
                assert history.violations(**changed), error()
"""


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    suite = Suite(tmp_path)
    suite.write(BODY)
    ended = suite.run("--workers", "2")
    assert ended.code == 0, ended.out + ended.err
    assert len(ended.document["scenarios"]) == 6
