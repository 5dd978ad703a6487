"""Coverage of 1,000 requirements over three runs, timed side by side with `tfs report coverage`.

Run it with the environment's Python: .venv/bin/python bench/coverage.py [RUNS]
Both read what the same scenarios left: we three results.json, tfs the three TestFlows logs (one
report a log, it knows no columns). They are started in turn, so that the noise of the machine
meets both alike. Five in fifty requirements are not simply verified; what each tool makes of
them is shown as well. `tfs` starts itself through the shell, so its folder must be on PATH:
otherwise it reports that nothing is tested.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.samples import sample_results, sample_scenario  # noqa: E402
from helpers.report.states import requirement_states  # noqa: E402
from helpers.scenario.result import Link as Verifies  # noqa: E402
from helpers.scenario.result import Result, ScenarioResult  # noqa: E402
from requirements.compiler.specification import RequirementText, Specification  # noqa: E402

REQUIREMENTS, COLUMNS = 1000, 3
SECONDS, BYTES, FASTER = 0.5, 1_000_000, 5
ENDS = {0: "Fail", 1: "XFail", 2: "Skip", 3: "outdated", 4: "untested"}
PROGRAM = """
from testflows.core import *
SRS = Specification(name="SRS-901", content="", requirements=tuple(
    Requirement(name=f"RQ.SRS-901.Requirement{i:04}", version="1.0", level=2, num=f"1.{i}",
                description=f"ClickHouse SHALL keep the rows of partition {i}.\\n")
    for i in range(1000)))
ENDS = {0: fail, 1: xfail, 2: skip}
@TestModule
@Specifications(SRS)
def regression(self):
    for i, requirement in enumerate(SRS.requirements):
        if i % 50 == 4:
            continue
        linked = requirement("1.0")
        if i % 50 == 3:
            linked.version = "0.9"
        with Scenario(f"scenario {i:04}", requirements=[linked], flags=TE):
            if i % 50 in ENDS:
                ENDS[i % 50]("as the benchmark wants it")
            ok()
if main():
    regression()
"""


def our_results(column: int) -> dict[str, object]:
    """The results.json of the same scenarios, with texts and SQL of a usual size."""
    document = sample_results(REQUIREMENTS, column)
    texts, scenarios, results = [], [], []
    for index, state in enumerate(document["requirements"]):
        name, end = f"RQ.SRS-901.Requirement{index:04}", ENDS.get(index % 50, "OK")
        python_name, path = f"RQ_{index}", tuple(state["section"])
        texts.append(
            RequirementText(
                *(name, "1.0", "SRS-901", path, 4, "1", "requirements/srs901.md", index),
                *(state["text"], state["hash"], "", "", python_name),
            )
        )
        if end == "untested":
            continue
        version, scenario = (
            ("0.9" if end == "outdated" else "1.0"),
            f"/sample/all/scenario {index:04}",
        )
        scenarios.append(sample_scenario(scenario, (name, version), line=index))
        result = Result({"outdated": "OK"}.get(end, end))
        results.append(
            ScenarioResult(
                name=scenario,
                result=result,
                reason=None if result is Result.OK else "as the benchmark wants it",
                seconds=0.5,
                file="scenarios/sample/all.py",
                line=index,
                requirements=(Verifies(name, version),),
                statements=tuple(document["scenarios"][index % 900]["statements"]),
            )
        )
    specification = Specification("SRS-901", "Sample", "srs901.md", 1, "", "", (), tuple(texts))
    document["requirements"] = [
        asdict(state) for state in requirement_states([specification], scenarios, results, {})
    ]
    document["scenarios"] = [
        {
            **asdict(result),
            "requirements": [{"name": name, "version": said} for name, said in result.requirements],
        }
        for result in results
    ]
    return document


def seconds(command: list[str], folder: Path) -> float:
    """How long a command takes, from its start to its end."""
    binaries = Path(sys.executable).parent
    variables = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, env=variables, check=True, capture_output=True)
    return time.perf_counter() - started


def theirs_of(report: str) -> str:
    """The line of numbers in the report of tfs: units, satisfied, unsatisfied, untested."""
    line = next(line for line in report.splitlines() if "**Requirements**" in line)
    units, satisfied, unsatisfied, untested = (
        part.split("</center>")[0] for part in line.split("<center>")[2:]
    )
    return f"{units} units: {satisfied} satisfied, {unsatisfied} unsatisfied, {untested} untested"


def main(runs: int) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.py").write_text(PROGRAM)
        inputs = []
        for column in range(COLUMNS):
            log = f"{column}.log"
            # The program fails, as it should: only its log matters here.
            subprocess.run(
                [sys.executable, "program.py", "--log", log, "--output", "quiet"],
                cwd=folder,
                check=False,
                capture_output=True,
            )
            inputs.append(folder / f"{column}.json")
            inputs[-1].write_text(json.dumps(our_results(column)))
        ours = [sys.executable, "-P", "-m", "helpers.cli.main", "coverage", *map(str, inputs)]
        page = folder / "coverage.html"
        times: dict[str, list[float]] = {"ours": [], "tfs": []}
        for _ in range(runs):
            times["ours"].append(seconds([*ours, "--html", str(page)], folder))
            times["tfs"].append(
                sum(
                    seconds(["tfs", "report", "coverage", "-", f"{c}.log", f"{c}.md"], folder)
                    for c in range(COLUMNS)
                )
            )
        mine, other = statistics.median(times["ours"]), statistics.median(times["tfs"])
        size = page.stat().st_size
        table = subprocess.run(
            [*ours, "--json"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
        )
        counts = json.loads(table.stdout)["columns"][0]["counts"]
        print(f"{REQUIREMENTS} requirements x {COLUMNS} runs, median of {runs} (best):")
        print(f"  ours  {mine:6.2f} s ({min(times['ours']):.2f} s), {size / 1000:.0f} kB, one page")
        print(f"  tfs   {other:6.2f} s ({min(times['tfs']):.2f} s), three reports")
        print(
            f"  ours is {other / mine:.1f} times as fast; bars: {SECONDS} s, {BYTES} bytes, {FASTER} x"
        )
        print("what each says of the first run:")
        print("  ours ", ", ".join(f"{count} {state}" for state, count in counts.items()))
        print("  tfs  ", theirs_of((folder / "0.md").read_text()))
        good = min(times["ours"]) <= SECONDS and size <= BYTES and other / mine >= FASTER
        return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
