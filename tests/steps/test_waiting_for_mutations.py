"""A statement that leaves a mutation says whether it waits for it: the baseline of servers is not to wait."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from helpers.base.paths import ROOT
from steps.background_changes import MUTATES, UNTIL_DONE, in_background, until_done

SENDING = {"query", "background", "http"}


def sent_mutations(source: str) -> Iterator[tuple[str, bool]]:
    """The mutations that are sent as they are written, and whether they say how long they wait."""
    for call in ast.walk(ast.parse(source)):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.args):
            continue
        text = ast.unparse(call.args[0]).removeprefix("f")[1:]
        if call.func.attr in SENDING and MUTATES.match(text.replace("{", "").replace("}", "")):
            says = any(keyword.arg == "settings" for keyword in call.keywords)
            yield text, says or "mutations_sync" in text


@pytest.mark.parametrize(
    "change", ["UPDATE v = 1 WHERE 1", "DELETE WHERE 1", "MATERIALIZE COLUMN v", "APPLY PATCHES"]
)
def test_a_mutation_is_waited_for(change: str) -> None:
    assert until_done(f"ALTER TABLE d.t {change}") == UNTIL_DONE == {"mutations_sync": 2}
    assert in_background(f"ALTER TABLE d.t {change}") == {"mutations_sync": 0}


@pytest.mark.parametrize(
    "sql", ["ALTER TABLE d.t DROP COLUMN v", "OPTIMIZE TABLE d.t FINAL", "DELETE FROM d.t WHERE 1"]
)
def test_other_statements_are_sent_as_they_are(sql: str) -> None:
    assert until_done(sql) == {}


def test_a_mutation_that_says_nothing_is_found() -> None:
    """The control."""
    found = list(sent_mutations('t.node.query(f"ALTER TABLE {t} DELETE WHERE 1")'))
    assert [says for _, says in found] == [False]
    found = list(sent_mutations('n.query(f"ALTER TABLE {t} UPDATE v = 1 WHERE 1", settings={})'))
    assert [says for _, says in found] == [True]


def test_every_mutation_says_whether_it_waits() -> None:
    files = [file for name in ("steps", "scenarios") for file in (ROOT / name).rglob("*.py")]
    sent = {
        f"{file.relative_to(ROOT)}: {text}": says
        for file in files
        for text, says in sent_mutations(file.read_text())
    }
    assert len(sent) > 5
    assert [where for where, says in sent.items() if not says] == []
