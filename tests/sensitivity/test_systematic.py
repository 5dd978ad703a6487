"""A systematic run over small scenarios: what is noticed, what survives, and the score."""

from __future__ import annotations

import runpy
from collections import Counter
from pathlib import Path

import pytest

from helpers.base.paths import ROOT
from helpers.runner.evidence import folder_of
from helpers.scenario.marks import Marks
from helpers.scenario.result import Link, RequirementState, Result, ScenarioResult, State
from helpers.scenario.scenario import Job, Key, Scenario
from helpers.sensitivity.mutant_ends import Verdict
from helpers.sensitivity.sampling import SystematicStrategy
from helpers.sensitivity.systematic import Score, Systematic, evaluate
from tests.sensitivity.conftest import Sabotaged

THOROUGH = """
@TestScenario
@Requirements(Requirement("RQ.One", "1.0"))
def thorough(self):
    node = this().node()
    with Given("a table"):
        node.query("CREATE TABLE t (x UInt8, y UInt8) ENGINE = MergeTree ORDER BY x")
        node.query("INSERT INTO t VALUES", data=[(1, 2), (2, 3)])
    with When("the server is restarted"):
        before = node.pid
        node.restart()
    with Then("it is another one with the same rows"):
        assert node.pid != before, error()
        assert node.query("SELECT * FROM t") == [(1, 2), (2, 3)], error()
"""
CARELESS = """
from helpers.scenario.marks import equivalent

@TestScenario
@Requirements(Requirement("RQ.Two", "1.0"))
@equivalent(mutant="omit*", statement="SELECT x", reason="one thread is enough")
def careless(self):
    node = this().node()
    with Given("a table"):
        node.query("CREATE TABLE u (x UInt8) ENGINE = MergeTree ORDER BY x")
    with When("rows are inserted and nobody looks"):
        node.query("INSERT INTO u VALUES", data=[(1,), (2,)])
        node.restart()
    with Then("it can be read"):
        assert node.query("SELECT x FROM u SETTINGS max_threads = 1") is not None, error()
"""
ONE_OF_TWO = """
from pathlib import Path

@TestScenario
@Requirements(Requirement("RQ.Three", "1.0"))
def steady(self):
    with Then("it answers"):
        assert this().node().value("SELECT 1") == 1, error()

@TestScenario
@Requirements(Requirement("RQ.Three", "1.0"))
def flaky(self):
    mark = Path("{mark}")
    again = mark.exists()
    mark.touch()
    with Then("it is not the first attempt"):
        assert again, error()
"""


def test_a_scenario_that_proves_everything_scores_in_full(sabotaged: Sabotaged) -> None:
    sabotaged.write(THOROUGH)
    ended = sabotaged.run("--systematic", "--workers", "1", "--seed", "1")
    assert ended.code == 0, ended.out + ended.err
    systematic = ended.document["sensitivity"]["generated"]
    # CREATE and INSERT dropped, the restart left out, and five wrong answers but for the stale one.
    assert systematic["requirements"] == {"RQ.One": [7, 7]}, ended.out
    assert systematic["survivors"] == []


def test_a_careless_one_is_shown_with_statement_and_line(sabotaged: Sabotaged) -> None:
    sabotaged.write(CARELESS)
    ended = sabotaged.run("--systematic", "--workers", "1", "--seed", "1")
    assert ended.code == 1
    systematic = ended.document["sensitivity"]["generated"]
    killed, effective = systematic["requirements"]["RQ.Two"]
    # The changed value does not count: nobody looks at the answer.
    assert (killed, effective) == (1, 5)
    survivor = next(entry for entry in systematic["survivors"] if "INSERT" in entry["text"])
    assert survivor["mutant"].startswith("drop@examples/feature/topic.py:")
    assert survivor["mutant"] in ended.out and survivor["text"] in ended.out
    assert any(entry["text"] == "restart node1" for entry in systematic["survivors"])
    assert [entry["reason"] for entry in systematic["equivalents"]] == ["one thread is enough"]
    # It can be run again by its line.
    assert survivor["rerun"].endswith(f"--scenarios {sabotaged.folder}")
    assert f'--mutant "{survivor["mutant"]}"' in survivor["rerun"]


def test_what_fails_as_it_is_runs_again_with_the_options_of_the_whole_check(
    sabotaged: Sabotaged, tmp_path: Path
) -> None:
    sabotaged.write(ONE_OF_TWO.format(mark=tmp_path / "mark"))
    options = runpy.run_path(str(ROOT / "test"))
    given = [*options["MUTANTS"], *options["SCENARIOS_ONCE_MORE"], "--workers", "1", "--seed", "1"]
    ended = sabotaged.run(*given)
    assert ended.code == 0, ended.out + ended.err
    flaky, steady = ended.scenario("flaky"), ended.scenario("steady")
    assert (flaky["result"], flaky["attempts"]) == ("Flaky", ["Fail", "OK"])
    assert (steady["result"], steady["attempts"]) == ("OK", [])
    # What fails under a mutant is meant to: it has one attempt.
    killed, effective = ended.document["sensitivity"]["generated"]["scenarios"][
        "/feature/topic/steady"
    ]
    assert killed == effective == ended.out.count("killed ") > 0, ended.out


def test_written_and_generated_mutants_in_one_run(sabotaged: Sabotaged) -> None:
    sabotaged.write(THOROUGH.replace("2, 3", "2, 4"))
    sabotaged.write(THOROUGH.replace("RQ.One", "RQ.Three"), topic="other")
    sabotaged.mutants(
        """
@mutant(violates=["RQ.One"])
def no_rows(statement):
    '''Every SELECT * is empty.'''
    if statement.sql.startswith("SELECT *"):
        return statement.acknowledge()
    return statement.execute()
"""
    )
    ended = sabotaged.run("--fast", "--systematic", "--workers", "2", "--seed", "1")
    assert ended.code == 0, ended.out + ended.err
    verdicts = {entry["name"]: entry for entry in ended.document["sensitivity"]["requirements"]}
    assert verdicts["RQ.One"]["mutants"] == {"no-rows": "killed"}
    assert verdicts["RQ.Three"]["verdict"] == "killed"
    assert verdicts["RQ.Three"]["reason"] == "of its generated mutants 7 of 7 (100.0%) were noticed"
    assert ended.document["sensitivity"]["generated"]["effective"] == 14


def test_a_sample_fails_only_if_it_shows_it() -> None:
    assert Score(18, 20).misses(0.95, sample=False)
    assert not Score(18, 20).misses(0.95, sample=True)
    assert Score(150, 200).misses(0.95, sample=True)
    assert not Score().misses(0.95, sample=True)


def test_nothing_tried_is_nothing_proven_unless_it_is_a_sample() -> None:
    assert Score().misses(0.95, sample=False)
    assert Systematic(Score(), {}, {}, (), (), not_tried=0).bad
    assert not Systematic(Score(), {}, {}, (), (), not_tried=3).bad


@pytest.mark.parametrize(
    "options",
    [
        ("--minutes", "1"),
        ("--systematic", "--all"),
        ("--systematic", "--mutant", "x"),
        ("--systematic", "--minutes", "0"),
    ],
)
def test_options_that_do_not_go_together(sabotaged: Sabotaged, options: tuple[str, ...]) -> None:
    sabotaged.write(THOROUGH)
    ended = sabotaged.run(*options)
    assert ended.code == 2 and "Traceback" not in ended.err


def scenario(name: str, requirement: str = "RQ") -> Scenario:
    return Scenario(name, "f", "t", name, "f.py", 1, (Link(requirement, "1"),), Marks(), None)


def unchanged(name: str, count: int, result: Result = Result.OK) -> ScenarioResult:
    generated = tuple(
        {"name": f"drop@f.py:{line}#1", "text": "", "equivalent": None} for line in range(count)
    )
    return ScenarioResult(name, result, generated=generated)


def test_every_scenario_is_tried_before_any_is_tried_again() -> None:
    scenarios = [scenario("a"), scenario("b"), scenario("c")]
    strategy = SystematicStrategy(scenarios, seed=1)
    first = strategy.first()
    assert strategy.next(first[0], unchanged("a", 9)) == []
    assert strategy.next(first[1], unchanged("b", 9, Result.FAIL)) == []
    jobs = strategy.next(first[2], unchanged("c", 2))
    jobs += [job for _ in range(6) for job in strategy.next(jobs[0], unchanged("a", 0))]
    assert sorted(job.scenario.name for job in jobs[:2]) == ["a", "c"]
    assert sorted(job.scenario.name for job in jobs[2:4]) == ["a", "c"]
    assert [job.scenario.name for job in jobs[4:]] == ["a"] * 7
    assert strategy.not_tried == 0


def tried(strategy: SystematicStrategy, generated: dict[str, int], count: int) -> list[Job]:
    """The first mutants that are tried where these scenarios have so many; each is noticed."""
    for job in strategy.first():
        jobs = strategy.next(job, unchanged(job.scenario.name, generated[job.scenario.name]))
    while len(jobs) < count:
        jobs += strategy.next(jobs[0], ScenarioResult("", Result.FAIL, changes=1))
    return jobs[:count]


def test_a_requirement_with_one_scenario_is_tried_as_often_as_one_with_three() -> None:
    scenarios = [*(scenario(name, "RQ.Many") for name in "abc"), scenario("d", "RQ.Few")]
    jobs = tried(SystematicStrategy(scenarios, seed=1), dict.fromkeys("abcd", 9), 12)
    assert Counter(job.scenario.name for job in jobs) == {"a": 2, "b": 2, "c": 2, "d": 6}


def test_what_changed_nothing_does_not_count_as_tried() -> None:
    strategy = SystematicStrategy([scenario("a", "RQ.A"), scenario("b", "RQ.B")], seed=1)
    jobs = tried(strategy, {"a": 9, "b": 9}, 5)
    idle = next(job for job in jobs if job.scenario.name == "a")
    more = strategy.next(idle, ScenarioResult("a", Result.OK, changes=0))
    more += strategy.next(idle, ScenarioResult("a", Result.OK, changes=0))
    assert [job.scenario.name for job in more].count("a") == 2


def test_every_operator_comes_once_before_any_comes_again() -> None:
    names = [f"{operator}@f.py:{line}#1" for operator in ("drop", "omit[x]") for line in range(4)]
    names.append("stale@f.py:9#1")
    generated = tuple({"name": name, "text": "", "equivalent": None} for name in names)
    strategy = SystematicStrategy([scenario("a")], seed=1)
    jobs = strategy.next(strategy.first()[0], ScenarioResult("a", Result.OK, generated=generated))
    operators = [str(job.mutant).partition("@")[0] for job in jobs]
    assert set(operators[:3]) == {"drop", "omit[x]", "stale"}
    assert set(operators[3:5]) == {"drop", "omit[x]"}


def test_it_says_of_which_requirements_too_few_were_tried() -> None:
    scenarios = [scenario("a", "RQ.A"), scenario("b", "RQ.B"), scenario("c", "RQ.C")]
    results: dict[Key, ScenarioResult] = {
        ("a", None): unchanged("a", 6),
        ("b", None): unchanged("b", 6, Result.SKIP),
    }
    results["c", None] = unchanged("c", 6)
    for line in range(6):
        results["a", f"drop@f.py:{line}#1"] = ScenarioResult("a", Result.FAIL, changes=1)
    results["c", "drop@f.py:0#1"] = ScenarioResult("c", Result.FAIL, changes=1)
    systematic = evaluate(scenarios, results, not_tried=5)
    # One that cannot run here has no mutants: its state says so already.
    assert systematic.too_few == {"RQ.C": Score(1, 1)}
    assert "1 of 2 requirements, for fewer than 5" in systematic.summary()
    assert "RQ.C (1)" in systematic.summary()


def test_the_folder_of_a_mutant_that_many_lines_led_to_can_be_made(tmp_path: Path) -> None:
    places = [f"drop@{' > '.join(['scenarios/feature/a_topic.py:1'] * 20)}#{n}" for n in (1, 2)]
    folders = {folder_of(tmp_path, Job(scenario("a"), place)) for place in places}
    for folder in folders:
        folder.mkdir(parents=True)
    assert len(folders) == 2


def test_a_sample_ends_with_its_time() -> None:
    strategy = SystematicStrategy([scenario("a")], seed=1, minutes=1e-9)
    assert strategy.next(strategy.first()[0], unchanged("a", 9)) == []
    assert strategy.not_tried == 9


def test_ends_and_scores() -> None:
    one = scenario("a")
    results = {Job(one).key: unchanged("a", 6)}
    for line, result in enumerate(
        [
            ScenarioResult("a", Result.FAIL, changes=1),
            ScenarioResult("a", Result.ERROR, changes=None),
            ScenarioResult("a", Result.OK, changes=1),
            ScenarioResult("a", Result.OK, changes=0),
            ScenarioResult("a", Result.ERROR, reason="no space", changes=0),
        ]
    ):
        results["a", f"drop@f.py:{line}#1"] = result
    systematic = evaluate([one], results, not_tried=1)
    # Noticed, stuck until the time was up, survived, never applied, never got there, not tried.
    assert systematic.total == Score(2, 3)
    assert [survivor.mutant for survivor in systematic.survivors] == ["drop@f.py:2#1"]
    assert systematic.not_tried == 2 and "#1: no space" in systematic.summary()
    assert systematic.bad


def test_a_requirement_without_a_written_mutant_takes_what_generated_ones_show() -> None:
    scores = {"RQ": Score(3, 4), "RQ2": Score(0, 1)}
    none = [Verdict(name, "no mutant", "there is none", {}) for name in ("RQ", "RQ2")]
    whole = Systematic(Score(9, 10), scores, {}, (), (), not_tried=0)
    assert [whole.complete(verdict).bad for verdict in none] == [False, True]
    sample = Systematic(Score(9, 10), scores, {}, (), (), not_tried=5)
    assert [sample.complete(verdict).verdict for verdict in none] == ["killed", "not applicable"]
    assert not any(sample.complete(verdict).bad for verdict in none)
    survived = Verdict("RQ", "survived", "not noticed", {"x": "survived"})
    assert whole.complete(survived) is survived


def test_a_weak_requirement_is_not_verified() -> None:
    systematic = Systematic(Score(99, 100), {"RQ": Score(3, 5), "RQ2": Score(0, 4)}, {}, (), (), 0)
    state = RequirementState("RQ", "1", "S", "f", 1, State.VERIFIED, None)
    # In a whole run there are no more mutants than these four: they are judged.
    assert systematic.bad and list(systematic.weak) == ["RQ", "RQ2"]
    assert systematic.apply(state).state == State.FAILING
    assert "3 of 5" in str(systematic.apply(state).reason)
