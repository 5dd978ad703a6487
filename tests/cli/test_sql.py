"""`sql`: statements and scripts on a server, from the outside."""

from __future__ import annotations

from typing import Any

import pytest

from helpers.cluster.client import recording
from helpers.runner import evidence
from helpers.scenario.result import ScenarioResult
from tests.cli.commands import Regression


def test_bad_sql_is_a_failure_with_its_code(regression: Regression) -> None:
    asked = regression("sql", "SELECT * FROM nowhere")
    assert (asked.returncode, asked.stdout) == (1, "")
    assert asked.stderr.startswith("Code 60: ") and "Traceback" not in asked.stderr


SCRIPT = """-- a comment; with a semicolon
CREATE DATABASE d; USE d;
CREATE TEMPORARY TABLE kept (s String); INSERT INTO kept VALUES ('a;b'), ('-- c');
SELECT * FROM nowhere; -- { serverError 60 }
SELECT s, $x$;$x$ FROM kept ORDER BY s /* ; */;
"""


def test_a_script_runs_in_one_session(regression: Regression) -> None:
    asked = regression("sql", "-", "--format", "CSV", stdin=SCRIPT)
    assert asked.returncode == 0, asked.stderr
    assert asked.stdout == ('Code 60, as expected: SELECT * FROM nowhere\n"-- c",";"\n"a;b",";"\n')


@pytest.mark.parametrize(
    ("second", "text"),
    [
        ("SELECT * FROM nowhere", "Code 60: "),
        ("SELECT * FROM nowhere; -- { serverError 61 }", "Code 60: "),
        ("SELECT 2; -- { serverError 60 }", "Not refused, though code 60 is expected: SELECT 2"),
    ],
)
def test_a_script_ends_at_what_was_not_expected(
    regression: Regression, second: str, text: str
) -> None:
    asked = regression("sql", "-", "--format", "CSV", stdin=f"SELECT 1; {second}\n; SELECT 3")
    assert asked.returncode == 1
    assert asked.stdout.startswith("1\n") and "3" not in asked.stdout
    assert asked.stderr.startswith(text)


def test_a_repro_runs_on_the_nodes_that_it_names(regression: Regression) -> None:
    def statement(node: str, sql: str, **options: Any) -> recording.Statement:
        return recording.Statement(node=node, sql=sql, at=0.0, **options)

    script = evidence.repro_script(
        [
            statement("node1", "CREATE TABLE t (n UInt8) ENGINE = Memory", database="default"),
            statement("node1", "INSERT INTO t VALUES", data="(1), (2)", database="default"),
            statement("other", "SELECT count() FROM t", code=60, database="default"),
            statement("node1", "CREATE TEMPORARY TABLE own (n UInt8)", session=7),
            statement("node1", "SELECT count() FROM own", code=60),
            statement("node1", "SELECT sum(n) FROM default.t", settings={"max_threads": 1}),
        ],
        ScenarioResult("/a/b/c", rerun="./regression.py --only /a/b/c"),
    )
    asked = regression("sql", "-", "--format", "CSV", stdin=script)
    assert asked.returncode == 0, asked.stderr + script
    assert asked.stdout == (
        "Code 60, as expected: SELECT count() FROM t\n"
        "Code 60, as expected: SELECT count() FROM own\n3\n"
        "3\n"  # the last answer once more, as what was checked
    )
