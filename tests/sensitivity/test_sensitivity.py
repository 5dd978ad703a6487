"""Mutants let loose on small scenarios: killed, survived, blind, idle, broken, immune, tolerated."""

from __future__ import annotations

from tests.runner.suite import Suite
from tests.sensitivity.conftest import Sabotaged

SEES = """
@TestScenario
@Requirements(Requirement("RQ.One", "1.0"))
def sees(self):
    with Then("two and two are four"):
        assert this().node().value("SELECT 2 + 2") == 4, error()
"""
BLIND = """
@TestScenario
@Requirements(Requirement("RQ.One", "1.0"))
def looks_away(self):
    with Then("the server answers"):
        assert this().node().query("SELECT 2 + 2"), error()
"""
DEVIATES = """
@TestScenario
@Requirements(Requirement("RQ.One", "1.0"))
@deviates(step="five", effect="it is 4", reason="it cannot count")
def differs(self):
    with Then("it is five"):
        found = this().node().value("SELECT 2 + 2")
        assert found == 5, f"it is {found}"
"""
LIES = """
@mutant(violates=["RQ.One"])
def wrong_sum(said):
    '''Sums are wrong.'''
    return said.lie([(5,)]) if "2 + 2" in said.sql else said.run()
"""
NEVER_LIES = """
@mutant(violates=["RQ.One"])
def wrong_product(said):
    '''Products are wrong.'''
    return said.lie([(5,)]) if "2 * 2" in said.sql else said.run()
"""
BROKEN = """
@mutant(violates=["RQ.One"])
def stumbles(said):
    '''It breaks before it gets to lie about the sum.'''
    if "2 + 2" in said.sql:
        said.also("SELECT no_such_column")
    return said.run()
"""


def test_a_mutant_that_is_noticed_is_killed(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES)
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 0, ended.out + ended.err
    found = ended.document["sensitivity"]
    assert found["requirements"] == [
        {
            "name": "RQ.One",
            "verdict": "killed",
            "reason": "1 of 1 mutants killed",
            "mutants": {"wrong-sum": "killed"},
        }
    ]
    assert found["mutants"] == [
        {
            "name": "wrong-sum",
            "about": "Sums are wrong.",
            "violates": ["RQ.One"],
            "tolerated": {},
        }
    ]
    assert found["scenarios"] == [
        {"name": "/feature/topic/sees", "mutants": {"wrong-sum": "killed"}}
    ]
    assert (found["blind"], found["idle"]) == ([], [])
    assert [one["result"] for one in ended.document["scenarios"]] == ["OK"]
    assert "1 sabotaged scenarios; requirements: 1 killed" in ended.out
    assert "mutants: 1 killed" in ended.out


def test_a_mutant_that_nobody_notices_survives(sabotaged: Sabotaged) -> None:
    sabotaged.write(BLIND)
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 1
    assert "RQ.One: wrong-sum is noticed by nobody" in ended.out
    assert "/feature/topic/looks away: it was lied to and never noticed: wrong-sum" in ended.out
    assert ended.document["sensitivity"]["requirements"][0]["verdict"] == "survived"
    assert ended.document["run"]["exit_code"] == 1


def test_waiting_in_vain_is_noticing(sabotaged: Sabotaged) -> None:
    """Longer than a sabotaged scenario has: it does not wait that long."""
    waits = "this().eventually(lambda: this().node().value('SELECT 2 + 2') == 4, timeout=300)"
    sabotaged.write(SEES.replace('assert this().node().value("SELECT 2 + 2") == 4, error()', waits))
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1", REGRESSION_TIMEOUT_FACTOR="0.3")
    assert ended.code == 0, ended.out + ended.err
    (verdict,) = ended.document["sensitivity"]["requirements"]
    assert verdict["mutants"] == {"wrong-sum": "killed"}


def test_a_scenario_that_hangs_has_noticed_nothing(sabotaged: Sabotaged) -> None:
    sleeps = "import time\n        time.sleep(this().node().value('SELECT 2 + 2') // 5 * 300)"
    sabotaged.write(
        SEES.replace('assert this().node().value("SELECT 2 + 2") == 4, error()', sleeps)
    )
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1", REGRESSION_TIMEOUT_FACTOR="0.3")
    (verdict,) = ended.document["sensitivity"]["requirements"]
    assert verdict["mutants"] == {"wrong-sum": "endured"}
    assert not (ended.results / "latest" / "data").exists()


def test_a_blind_scenario_beside_one_that_sees(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES + BLIND)
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 1
    found = ended.document["sensitivity"]
    assert found["requirements"][0]["verdict"] == "killed"
    assert [one["name"] for one in found["blind"]] == ["/feature/topic/looks away"]


def test_a_deviation_that_looks_otherwise_is_a_kill(sabotaged: Sabotaged) -> None:
    sabotaged.write(DEVIATES)
    sabotaged.mutants(LIES + LIES.replace("wrong_sum", "other_sum").replace("(5,)", "(3,)"))
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 0, ended.out + ended.err
    killed = {"wrong-sum": "killed", "other-sum": "killed"}
    assert ended.document["sensitivity"]["scenarios"][0]["mutants"] == killed


def test_a_mutant_that_never_lies_is_an_error(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES)
    sabotaged.mutants(LIES + NEVER_LIES)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 1
    assert "wrong-product: this mutant never lied, so it proved nothing" in ended.out
    assert ended.document["sensitivity"]["idle"] == ["wrong-product"]


def test_a_mutant_that_breaks_kills_nothing(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES)
    sabotaged.mutants(LIES + BROKEN)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 1
    assert "RQ.One: stumbles stumbled over itself" in ended.out


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
    told = {one["name"]: one for one in ended.document["sensitivity"]["requirements"]}
    assert told["RQ.One"]["mutants"] == {"wrong-sum": "killed", "same-sum": "tolerated"}
    (same_sum,) = (
        one for one in ended.document["sensitivity"]["mutants"] if one["name"] == "same-sum"
    )
    assert same_sum["tolerated"] == {"RQ.One": "nobody can"}
    assert (told["RQ.Two"]["verdict"], told["RQ.Two"]["reason"]) == ("immune", "no way")


def test_a_requirement_without_a_mutant(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES + SEES.replace("RQ.One", "RQ.Two").replace("sees", "sees_two"))
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1")
    assert ended.code == 1
    assert "RQ.Two: no mutant violates it" in ended.out
    assert "/feature/topic/sees two: no mutant lies to it" in ended.out


def test_of_one_mutant_only_what_it_violates_is_judged(sabotaged: Sabotaged) -> None:
    sabotaged.write(SEES + BLIND + SEES.replace("RQ.One", "RQ.Two").replace("sees", "sees_two"))
    sabotaged.mutants(LIES + LIES.replace("wrong_sum", "other_sum"))
    ended = sabotaged.run("--workers", "1", "--mutant", "wrong-sum")
    assert ended.code == 0, ended.out + ended.err
    found = ended.document["sensitivity"]
    assert [one["name"] for one in found["requirements"]] == ["RQ.One"]
    assert {one["name"]: one["mutants"] for one in found["scenarios"]} == {
        "/feature/topic/sees": {"wrong-sum": "killed"},
        "/feature/topic/looks away": {"wrong-sum": "survived"},
    }


def test_one_mutant_that_survives(sabotaged: Sabotaged) -> None:
    sabotaged.write(BLIND)
    sabotaged.mutants(LIES)
    ended = sabotaged.run("--workers", "1", "--mutant", "wrong-sum")
    assert ended.code == 1
    assert "RQ.One: wrong-sum is noticed by nobody" in ended.out


def test_the_fast_slice_goes_on_until_a_mutant_is_killed(sabotaged: Sabotaged) -> None:
    """What is tried first never lies; then comes one that does, and what is left is not tried."""
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
    (told,) = ended.document["sensitivity"]["requirements"]
    assert told["mutants"] == {"same-sum": "unsettled", "wrong-sum": "killed"}
    assert told["reason"] == "1 of 2 mutants killed"


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
    """One that fails because of it, and one that it never lied to, which is an error."""
    sabotaged.write(SEES)
    sabotaged.mutants(LIES + NEVER_LIES)
    usual = Suite(sabotaged.folder.parent)
    lied_to = usual.run("--workers", "1", "--mutant", "wrong-sum")
    assert lied_to.code == 1
    assert lied_to.document["scenarios"][0]["result"] == "Fail"
    ended = usual.run("--workers", "1", "--mutant", "wrong-product")
    assert ended.code == 1
    assert "The mutant wrong-product never lied to these scenarios" in ended.err
