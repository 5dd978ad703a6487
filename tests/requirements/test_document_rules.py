"""Every rule about documents: one bad document, the line it is found in, and nothing else."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from requirements.checker.engine import check_documents
from requirements.checker.registry import CORPUS_CHECKS, DOCUMENT_CHECKS
from requirements.compiler.parse import parse
from tests.requirements.documents import GOOD


class Bad(NamedTuple):
    """A damage to the good document, where its rule must point, and rules that it breaks besides."""

    rule: str
    old: str
    new: str
    line: int
    column: int
    besides: frozenset[str] = frozenset()


TOC_LINE = "    * 2.1 [RQ.SRS-900.Example.Read](#rqsrs-900exampleread)\n"
READ = "### RQ.SRS-900.Example.Read\nversion: 1.0\n"
READ_TEXT = GOOD[GOOD.index("[ClickHouse] SHALL return") : GOOD.index("### RQ.SRS-900.Example.W")]
WRITE_TEXT = GOOD[GOOD.index("[ClickHouse] SHALL keep") : GOOD.index("[ClickHouse]: ")]
SHALL = "[ClickHouse] SHALL return the rows that were inserted."

CONTENTS = frozenset({"toc-entry", "toc-heading"})

BAD = [
    Bad("no-title", "# SRS-900 Example of a Specification", "SRS-900", 1, 1),
    Bad("malformed-title", "# SRS-900 Example", "# SRS900 Example", 1, 3),
    Bad("second-title", "## Introduction\n", "# Other\n\n## Introduction\n", 10, 1),
    Bad("two-specifications", "## Introduction\n", "# SRS-901 Other\n\n## Introduction\n", 10, 1),
    Bad("heading-level", "## Reading\n", "## Reading\n\n#### Deep\n", 16, 1,
        frozenset({"toc-heading", "toc-number"})),
    Bad("unbalanced-fence", "example;\n```\n", "example;\n", 21, 1,
        frozenset({"toc-entry", "broken-reference"})),
    Bad("unbalanced-fence", "```sql\n", "```sql\nSELECT 1;\n\n```sql\n", 21, 1),
    Bad("fence-language", "```sql\n", "```\n", 21, 1),
    Bad("unclosed-comment", "## Reading\n", "<!-- Reading\n", 14, 1,
        frozenset({"toc-entry", "no-requirements", "broken-reference"})),
    Bad("table-cells", "| `1`   |", "| `1`   | >", 35, 1),
    Bad("table-cells", " | `1`   |", " |", 35, 1),
    Bad("trailing-blank", "## Reading\n", "## Reading \n", 14, 11),
    Bad("no-requirements", "### RQ.", "### ", 1, 1, CONTENTS),
    Bad("malformed-name", READ, "### RQ.SRS-900.Example Read\nversion: 1.0\n", 16, 5, CONTENTS),
    Bad("missing-version", "version: 1.0\n", "", 16, 5),
    Bad("missing-version", "version: 1.0\n", "version:\n", 16, 5),
    Bad("malformed-version", "version: 1.0\n", "version: v1\n", 17, 10),
    Bad("field", "origin: ours", "orgin: ours", 29, 1),
    Bad("field", "origin: ours", "version: 1.1", 29, 1),
    Bad("field", "origin: ours", "untested:", 29, 1),
    Bad("planned-state", "\n## Table", "\nstate: planned\n\n## Table", 3, 8),
    Bad("planned-state", "\n## Table", "\nstate: done\nreason: so\n\n## Table", 3, 8),
    Bad("planned-state", "\n## Table", "\nreason: so\n\n## Table", 3, 1),
    Bad("nested-requirement", "### RQ.SRS-900.Example.W", "#### RQ.SRS-900.Example.W", 27, 6,
        frozenset({"toc-number"})),
    Bad("duplicate-name", "### RQ.SRS-900.Example.Write", "### RQ.SRS-900.Example.Read", 27, 5, CONTENTS),
    Bad("python-name", "### RQ.SRS-900.Example.Write", "### RQ.SRS-900.Example_Read", 27, 5, CONTENTS),
    Bad("identical-text", WRITE_TEXT, READ_TEXT, 27, 5),
    Bad("no-shall", "SHALL return", "returns", 16, 5),
    Bad("several-shalls", SHALL, SHALL + " It SHALL be quick.", 19, 59),
    Bad("weak-wording", SHALL, SHALL + " It should be quick.", 19, 59),
    Bad("doubled-word", "rows that were", "rows rows that were", 19, 31),
    Bad("punctuation", "inserted.", "inserted..", 19, 54),
    Bad("punctuation", "What [ClickHouse]", "What,[ClickHouse]", 12, 5),
    Bad("toc-missing", "## Table of Contents", "## Contents", 1, 1),
    Bad("toc-entry", TOC_LINE, TOC_LINE + "    * 2.2 [Gone](#gone)\n", 8, 11),
    Bad("toc-heading", "    * 2.2 [RQ.SRS-900.Example.Write](#rqsrs-900examplewrite)\n", "", 26, 1),
    Bad("toc-anchor", "(#rqsrs-900exampleread)", "(#rqsrs-900exampleRead)", 7, 37),
    Bad("toc-number", "* 2.2 [", "* 2.3 [", 8, 7),
    Bad("broken-reference", "What [ClickHouse]", "What [Keeper]", 12, 6),
    Bad("unused-reference", "[ClickHouse]: ", "[Keeper]: https://x.org\n[ClickHouse]: ", 37, 1),
    Bad("repeated-reference", "[ClickHouse]: ", "[ClickHouse]: https://x.org\n[ClickHouse]: ", 38, 1),
    Bad("reference-case", "What [ClickHouse]", "What [Clickhouse]", 12, 6),
    Bad("broken-link", "made up.", "[made up](#nowhere).", 12, 36),
    Bad("sql-statement", "ORDER BY id;", "ORDER BY id", 24, 1),
    Bad("sql-placeholder", "FROM example;", "FROM ...;", 24, 16),
    Bad("sql-brackets", "(id UInt64)", "(id UInt64", 22, 22),
    Bad("sql-brackets", "SELECT id", "SELECT 'id", 24, 8),
    Bad("misspelt-name", "RQ.SRS-900.Example.Write", "RQ.SRS-900.Example.WrongArgiment", 27, 29,
        frozenset({"toc-anchor"})),
    Bad("misspelt-word", "inserted.", "inserted in the destinaton.", 19, 62),
    Bad("misspelt-word", "inserted.", "inserted with `INESRT`.", 19, 61),
    Bad("misspelt-word", "rows that", "rows of a partition form the table that", 19, 51),
]  # fmt: skip


def rules(text: str) -> list[tuple[str, int, int]]:
    return [(d.rule, d.line, d.column) for d in check_documents([parse(text, "srs900.md")])]


def test_a_good_document_breaks_no_rule() -> None:
    assert rules(GOOD) == []


@pytest.mark.parametrize("bad", BAD, ids=[f"{bad.rule}-{n}" for n, bad in enumerate(BAD)])
def test_a_bad_document_breaks_its_rule_at_its_place_and_no_other(bad: Bad) -> None:
    assert bad.old in GOOD, "the damage must hit the document"
    diagnostics = rules(GOOD.replace(bad.old, bad.new))
    assert (bad.rule, bad.line, bad.column) in diagnostics
    assert {rule for rule, _, _ in diagnostics} == {bad.rule, *bad.besides}


def test_two_documents_with_one_id() -> None:
    diagnostics = check_documents([parse(GOOD, "a.md"), parse(GOOD, "b.md")])
    assert ("duplicate-specification", "b.md", 1) in [(d.rule, d.file, d.line) for d in diagnostics]


def test_every_rule_about_documents_has_a_bad_document() -> None:
    tested = {bad.rule for bad in BAD} | {"duplicate-specification"}
    assert tested == DOCUMENT_CHECKS.keys() | CORPUS_CHECKS.keys()
