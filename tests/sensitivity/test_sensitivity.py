"""Mutants of small scenarios: killed, survived, blind, idle, broken, immune, tolerated."""

from __future__ import annotations

import shlex

import pytest

from tests.runner.suite import Suite, scenario_text
from tests.sensitivity.conftest import Sabotaged

SUM = 'assert this().node().value("SELECT 2 + 2") == 4, error()'
SEES = scenario_text("sees", "two and two are four", SUM)
BLIND = scenario_text(
    "looks_away", "the server answers", 'assert this().node().query("SELECT 2 + 2"), error()'
)
DEVIATES = """
@TestScenario
@Requirements(Requirement("RQ.One", "1.0"))
@deviates(step="it is five", observed={"sum": "4"}, reason="it cannot count")
def differs(self):
    from helpers.scenario.violations import assert_no_violations

    with Then("it is five"):
        total = this().node().value("SELECT 2 + 2")
        assert_no_violations({} if total == 5 else {"sum": total})
"""
LIES = """
@mutant(violates=["RQ.One"])
def wrong_sum(statement):
    '''Sums are wrong.'''
    return statement.respond([(5,)]) if "2 + 2" in statement.sql else statement.execute()
"""
NEVER_LIES = """
@mutant(violates=["RQ.One"])
def wrong_product(statement):
    '''Products are wrong.'''
    return statement.respond([(5,)]) if "2 * 2" in statement.sql else statement.execute()
"""
BROKEN = """
@mutant(violates=["RQ.One"])
def stumbles(statement):
    '''It fails before it can change the sum.'''
    if "2 + 2" in statement.sql:
        statement.inject("SELECT no_such_column")
    return statement.execute()
"""


def test_a_mutant_that_is_noticed_is_killed(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES)
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 0, ended.out + ended.err
    sensitivity = ended.document["sensitivity"]
    assert sensitivity["requirements"] == [
        {
            "name": "RQ.One",
            "verdict": "killed",
            "reason": "1 of 1 mutants killed",
            "mutants": {"wrong-sum": "killed"},
        }
    ]
    assert sensitivity["mutants"] == [
        {
            "name": "wrong-sum",
            "about": "Sums are wrong.",
            "violates": ["RQ.One"],
            "tolerated": {},
        }
    ]
    assert sensitivity["scenarios"] == [
        {"name": "/feature/topic/sees", "mutants": {"wrong-sum": "killed"}}
    ]
    assert (sensitivity["blind"], sensitivity["idle"]) == ([], [])
    assert [scenario["result"] for scenario in ended.document["scenarios"]] == ["OK"]
    assert "1 sabotaged scenarios; requirements: 1 killed" in ended.out
    assert "mutants: 1 killed" in ended.out


def test_files_that_are_edited_meanwhile_do_not_spoil_the_end(sabotaged: Sabotaged) -> None:
    edits = f"from pathlib import Path\nHERE = Path({str(sabotaged.folder / 'feature')!r})\n"
    broken = "        (HERE / 'edited.py').write_text('def (')\n"
    sabotaged.write(edits + SEES.replace("        assert", f"{broken}        assert"))
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 0, ended.out + ended.err
    assert (sabotaged.folder / "feature" / "edited.py").exists()


def test_a_mutant_that_nobody_notices_survives(sabotaged: Sabotaged) -> None:
    sabotaged.write(BLIND)
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 1
    assert "RQ.One: wrong-sum was not noticed" in ended.out
    assert "/feature/topic/looks away: it noticed none of its mutants: wrong-sum" in ended.out
    assert ended.document["sensitivity"]["requirements"][0]["verdict"] == "survived"
    assert ended.document["run"]["exit_code"] == 1


def test_waiting_in_vain_is_noticing(sabotaged: Sabotaged) -> None:
    """Longer than a sabotaged scenario has: it does not wait that long."""
    waits = "this().eventually(lambda: this().node().value('SELECT 2 + 2') == 4, timeout=300)"
    sabotaged.write(SEES.replace(SUM, waits))
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1", REGRESSION_TIMEOUT_FACTOR="0.3")
    assert ended.code == 0, ended.out + ended.err
    (verdict,) = ended.document["sensitivity"]["requirements"]
    assert verdict["mutants"] == {"wrong-sum": "killed"}


def test_a_scenario_that_hangs_has_noticed_nothing(sabotaged: Sabotaged) -> None:
    sleeps = "import time\n        time.sleep(this().node().value('SELECT 2 + 2') // 5 * 300)"
    sabotaged.write(SEES.replace(SUM, sleeps))
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1", REGRESSION_TIMEOUT_FACTOR="0.3")
    (verdict,) = ended.document["sensitivity"]["requirements"]
    assert verdict["mutants"] == {"wrong-sum": "timed out"}
    assert not (ended.results / "latest" / "data").exists()


def test_a_blind_scenario_beside_one_that_sees(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES + BLIND)
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 1
    sensitivity = ended.document["sensitivity"]
    assert sensitivity["requirements"][0]["verdict"] == "killed"
    assert [scenario["name"] for scenario in sensitivity["blind"]] == ["/feature/topic/looks away"]


def test_a_deviation_that_looks_otherwise_is_a_kill(sabotaged: Sabotaged) -> None:
    sabotaged.write(DEVIATES)
    sabotaged.mutants(LIES + LIES.replace("wrong_sum", "other_sum").replace("(5,)", "(3,)"))
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 0, ended.out + ended.err
    killed = {"wrong-sum": "killed", "other-sum": "killed"}
    assert ended.document["sensitivity"]["scenarios"][0]["mutants"] == killed


@pytest.mark.parametrize(
    ("mutant", "idle", "text"),
    [
        (
            NEVER_LIES,
            ["wrong-product"],
            "wrong-product: this mutant never changed anything, so it proved nothing",
        ),
        (BROKEN, [], "RQ.One: stumbles failed itself"),
    ],
)
def test_a_mutant_that_proves_nothing_is_an_error(
    sabotaged: Sabotaged, mutant: str, idle: list[str], text: str
) -> None:
    sabotaged.write(SEES)
    sabotaged.mutants(LIES + mutant)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 1
    assert text in ended.out
    assert ended.document["sensitivity"]["idle"] == idle


def test_written_reasons(sabotaged: Sabotaged) -> None:
    """A survivor may be tolerated beside a killed mutant; a requirement may be immune."""
    tolerated = 'violates=["RQ.One"], tolerated={"RQ.One": "nobody can"}'
    survivor = LIES.replace("wrong_sum", "same_sum").replace("(5,)", "(4,)")
    sabotaged.write(SEES + SEES.replace("RQ.One", "RQ.Two").replace("sees", "sees_two"))
    sabotaged.mutants(
        LIES + survivor.replace('violates=["RQ.One"]', tolerated) + 'IMMUNE = {"RQ.T*": "no way"}\n'
    )
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 0, ended.out + ended.err
    verdicts = {
        requirement["name"]: requirement
        for requirement in ended.document["sensitivity"]["requirements"]
    }
    assert verdicts["RQ.One"]["mutants"] == {"wrong-sum": "killed", "same-sum": "tolerated"}
    (same_sum,) = (
        mutant
        for mutant in ended.document["sensitivity"]["mutants"]
        if mutant["name"] == "same-sum"
    )
    assert same_sum["tolerated"] == {"RQ.One": "nobody can"}
    assert (verdicts["RQ.Two"]["verdict"], verdicts["RQ.Two"]["reason"]) == ("immune", "no way")


def test_a_requirement_without_a_mutant(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES + SEES.replace("RQ.One", "RQ.Two").replace("sees", "sees_two"))
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 1
    assert "RQ.Two: no mutant violates it" in ended.out
    assert "/feature/topic/sees two: no mutant changes anything in it" in ended.out


def test_of_one_mutant_only_what_it_violates_is_judged(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES + BLIND + SEES.replace("RQ.One", "RQ.Two").replace("sees", "sees_two"))
    sabotaged.mutants(LIES + LIES.replace("wrong_sum", "other_sum"))
    ended = sabotaged.run("--workers", "1", "--mutant", "wrong-sum")
    assert ended.code == 0, ended.out + ended.err
    sensitivity = ended.document["sensitivity"]
    assert [requirement["name"] for requirement in sensitivity["requirements"]] == ["RQ.One"]
    assert {scenario["name"]: scenario["mutants"] for scenario in sensitivity["scenarios"]} == {
        "/feature/topic/sees": {"wrong-sum": "killed"},
        "/feature/topic/looks away": {"wrong-sum": "survived"},
    }


def test_one_mutant_that_survives(sabotaged: Sabotaged) -> None:
    sabotaged.write(BLIND)
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1", "--mutant", "wrong-sum")
    assert ended.code == 1
    assert "RQ.One: wrong-sum was not noticed" in ended.out


def test_the_fast_slice_goes_on_until_a_mutant_is_killed(sabotaged: Sabotaged) -> None:
    """What is tried first changes nothing; then comes one that does, and what is left is not tried."""
    sabotaged.write(SEES)
    sabotaged.mutants(NEVER_LIES + LIES + LIES.replace("wrong_sum", "unneeded"))
    ended = sabotaged.run("--workers", "1", "--fast")
    assert ended.code == 0, ended.out + ended.err
    (scenario,) = ended.document["sensitivity"]["scenarios"]
    assert scenario["mutants"] == {"wrong-product": "not applicable", "wrong-sum": "killed"}
    assert ended.document["sensitivity"]["thorough"] is False


def test_a_survivor_of_the_fast_slice_is_unsettled(sabotaged: Sabotaged) -> None:
    """It got past one scenario; others may notice it, and were not asked."""
    survivor = LIES.replace("wrong_sum", "same_sum").replace("(5,)", "(4,)")
    sabotaged.write(SEES)
    sabotaged.mutants(survivor + LIES)
    ended = sabotaged.run("--workers", "1", "--fast")
    assert ended.code == 0, ended.out + ended.err
    (verdict,) = ended.document["sensitivity"]["requirements"]
    assert verdict["mutants"] == {"same-sum": "unsettled", "wrong-sum": "killed"}
    assert verdict["reason"] == "1 of 2 mutants killed"


def test_unknown_mutants_are_named_with_their_nearest(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES)
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--mutant", "wrong-some")
    assert (ended.code, ended.out) == (2, "")
    assert "There is no mutant 'wrong-some'. Did you mean 'wrong-sum'?" in ended.err


def test_no_mutants_at_all(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES)
    ended = sabotaged.run()
    assert ended.code == 2
    assert "There are no mutants" in ended.err


def test_a_usual_run_under_a_mutant(sabotaged: Sabotaged) -> None:
    """One that fails because of it, and one in which it changed nothing, which is an error."""
    sabotaged.write(SEES)
    sabotaged.mutants(LIES + NEVER_LIES)
    usual = Suite(sabotaged.folder.parent)
    lied_to = usual.run("--workers", "1", "--mutant", "wrong-sum")
    assert lied_to.code == 1
    entry = lied_to.document["scenarios"][0]
    assert entry["result"] == "Fail"
    # A failure that somebody asked for leaves what every failure leaves, and runs again as it was.
    folder = usual.results / "latest" / entry["folder"]
    assert {file.name for file in folder.iterdir()} == {"failure.txt", "node1.log", "repro.sql"}
    script = (folder / "repro.sql").read_text()
    assert "SELECT 2 + 2" in script and "under the mutant wrong-sum" in script
    assert entry["reason"] in lied_to.out
    assert entry["rerun"].startswith('./regression.py --only "/feature/topic/sees" --seed ')
    assert entry["rerun"].endswith(f' --mutant "wrong-sum" --scenarios {usual.folder}')
    again = usual.run(*shlex.split(entry["rerun"])[1:])
    assert again.code == 1, again
    assert again.document["scenarios"][0]["rerun"] == entry["rerun"]
    ended = usual.run("--workers", "1", "--mutant", "wrong-product")
    assert ended.code == 1
    assert "The mutant wrong-product changed nothing in these scenarios" in ended.err
