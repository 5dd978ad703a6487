"""Executes the jobs of a workflow in clean folders, with stand-ins for what takes hours or is not here.

Real: the `run:` blocks in their order, in GitHub's shell, and the commands that merge, compare and report.
Stand-ins: `gh`, the actions, and those commands that test ClickHouse.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.setup.nights.expressions import filled, holds

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent
STAND_INS = {"regression.py": "shard.py", "test": "nothing.sh", ".ci/packages": "nothing.sh"}


@dataclass
class Job:
    """A job as it ended: the names of the steps that failed, what they printed, and the summary."""

    name: str
    failed: list[str] = field(default_factory=list)
    output: str = ""
    summary: str = ""


class GitHub:
    """A repository with its runs, artifacts and issues, below a folder."""

    def __init__(self, folder: Path, project: Path) -> None:
        self.folder = folder
        self.project = project
        self.programs = folder / "bin"
        self.programs.mkdir(parents=True)
        _install(HERE / "gh.py", self.programs / "gh")
        self._write("runs", [])
        self._write("issues", [])

    def read(self, name: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads((self.folder / f"{name}.json").read_text())
        return found

    def _write(self, name: str, value: Sequence[object]) -> None:
        (self.folder / f"{name}.json").write_text(json.dumps(value))

    def add_run(self, number: int, branch: str = "main", status: str = "completed") -> None:
        """A run, with the artifacts that it uploads later."""
        runs = [run for run in self.read("runs") if run["databaseId"] != number]
        self._write("runs", [*runs, {"databaseId": number, "headBranch": branch, "status": status}])

    def execute(self, workflow: str, number: int, world: Mapping[str, object]) -> dict[str, Job]:
        """Execute a run of a workflow; `world` says which shards break and which scenarios fail."""
        text = (self.project / ".github" / "workflows" / workflow).read_text()
        document = yaml.safe_load(text)
        self.add_run(number, status="in_progress")
        ended: dict[str, Job] = {}
        for name, job in document["jobs"].items():  # those that a job needs stand before it
            assert all(other in document["jobs"] for other in _names(job.get("needs")))
            for matrix in _combinations(job.get("strategy", {}).get("matrix", {})):
                runner = _Runner(self, document, job, matrix, number, world)
                default = f"{name} ({', '.join(map(str, matrix.values()))})" if matrix else name
                title = filled(job.get("name", default), {"matrix": matrix}, failed=False)
                done = runner.execute(title)
                assert done.name not in ended, f"two jobs are called {done.name}"
                ended[done.name] = done
        self.add_run(number)
        return ended


class _Runner:
    """One job on a machine of its own."""

    def __init__(
        self,
        github: GitHub,
        document: Mapping[str, Any],
        job: Mapping[str, Any],
        matrix: Mapping[str, Any],
        number: int,
        world: Mapping[str, object],
    ) -> None:
        self.github = github
        self.job = job
        self.number = number
        self.workspace = github.folder / "workspace"
        shutil.rmtree(self.workspace, ignore_errors=True)
        self.workspace.mkdir()
        self.steps: dict[str, dict[str, str]] = {}
        facts = {"run_id": number, "token": "secret-token", "repository": "somebody/regression"}
        self.contexts = {
            "matrix": matrix,
            "github": {**facts, "server_url": "https://github.com"},
            "runner": {"os": "Linux"},
            "steps": self.steps,
        }
        self.summary = github.folder / "summary.md"
        self.summary.write_text("")
        permissions = job.get("permissions", document.get("permissions"))
        self.environment = {
            **{name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ},
            "PATH": f"{github.programs}:{os.environ['PATH']}",
            "GITHUB_REF_NAME": "main",
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "REHEARSAL": json.dumps(
                {**world, "folder": str(github.folder), "run": number, "permissions": permissions}
            ),
            "REHEARSAL_PYTHON": sys.executable,
            **self._filled(document.get("env", {})),
            **self._filled(job.get("env", {})),
        }
        assert document["defaults"]["run"]["shell"] == "bash", "without it there is no pipefail"

    def _filled(self, values: Mapping[str, object], *, failed: bool = False) -> dict[str, str]:
        return {
            key: filled(str(value), self.contexts, failed=failed) for key, value in values.items()
        }

    def execute(self, name: str) -> Job:
        job = Job(name)
        for step in self.job["steps"]:
            title = str(step.get("name") or step.get("run") or step["uses"])
            if not holds(str(step.get("if", "success()")), self.contexts, failed=bool(job.failed)):
                outcome = "skipped"
            elif self._step(step, job):
                outcome = "success"
            else:
                outcome = "failure"
                if not step.get("continue-on-error"):
                    job.failed.append(title)
            if "id" in step:
                self.steps[step["id"]] = {"outcome": outcome}
        job.summary = self.summary.read_text()
        return job

    def _step(self, step: Mapping[str, Any], job: Job) -> bool:
        failed = bool(job.failed)
        if "uses" in step:
            action = step["uses"].partition("@")[0].rpartition("/")[2].replace("-", "_")
            given = self._filled(step.get("with", {}), failed=failed)
            try:
                getattr(self, f"_{action}")(given)
            except AssertionError as error:
                error.add_note(
                    f"{job.name} has failed at {job.failed} and printed:\n{job.output[-3000:]}"
                )
                raise
            return True
        script = self.github.folder / "step.sh"
        script.write_text(filled(step["run"], self.contexts, failed=failed))
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
            cwd=self.workspace,
            env={**self.environment, **self._filled(step.get("env", {}), failed=failed)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        job.output += done.stdout
        return done.returncode == 0

    def _checkout(self, _: Mapping[str, str]) -> None:
        shutil.copytree(
            self.github.project, self.workspace, dirs_exist_ok=True, copy_function=os.link
        )
        for place, stand_in in STAND_INS.items():
            _install(HERE / stand_in, self.workspace / place)

    def _setup_python(self, given: Mapping[str, str]) -> None:
        assert (self.workspace / given["cache-dependency-path"]).exists()

    def _cache(self, given: Mapping[str, str]) -> None:
        assert given["path"] and given["key"]

    def _upload_artifact(self, given: Mapping[str, str]) -> None:
        """Links are uploaded as what they point to. A name is free once in a run, unless it overwrites."""
        source = self.workspace / given["path"]
        target = self.github.folder / "artifacts" / str(self.number) / given["name"]
        if not source.exists():
            assert given.get("if-no-files-found") == "ignore", f"{given['path']} is not there"
            return
        assert not target.exists() or given.get("overwrite") == "True"
        shutil.copytree(source, target, dirs_exist_ok=True)

    def _download_artifact(self, given: Mapping[str, str]) -> None:
        """With a pattern each one has a folder of its name."""
        uploaded = self.github.folder / "artifacts" / str(self.number)
        for artifact in uploaded.glob(given["pattern"]):
            shutil.copytree(artifact, self.workspace / given["path"] / artifact.name)


def _combinations(matrix: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    assert not {"include", "exclude"} & set(matrix), "not rehearsed"
    for values in itertools.product(*matrix.values()):
        yield dict(zip(matrix, values, strict=True))


def _names(needs: str | list[str] | None) -> list[str]:
    return [needs] if isinstance(needs, str) else needs or []


def _install(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)  # it may be a link to the project's own
    shutil.copyfile(source, target)
    target.chmod(0o755)
