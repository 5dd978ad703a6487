"""The workflows: what they name exists, and actionlint accepts them wherever it is installed.

It is no package that an index has whole, so it is not one of ours; the workflow of pull requests runs it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.S)
MATRIX = re.compile(r"\bmatrix\.([\w-]+)(?:\.([\w-]+))?")


def mistakes(text: str) -> list[str]:
    """Jobs and keys of a matrix that are named and do not exist; values compared with that it never has."""
    found = []
    everything = yaml.safe_load(text)["jobs"]
    for name, job in everything.items():
        needs = job.get("needs", [])
        for needed in [needs] if isinstance(needs, str) else needs:
            if needed not in everything:
                found.append(f"{name} needs {needed}")
        matrix = job.get("strategy", {}).get("matrix", {})
        conditions = [str(step["if"]) for step in job["steps"] if "if" in step]
        for expression in EXPRESSION.findall(yaml.safe_dump(job)) + conditions:
            for key, inner in MATRIX.findall(expression):
                values = matrix.get(key, [])
                if not values or (inner and not all(inner in value for value in values)):
                    found.append(f"{name}: matrix.{key}{'.' if inner else ''}{inner}")
        for key, inner, value in re.findall(
            r"matrix\.(\w+)\.(\w+) == '([^']*)'", " ".join(conditions)
        ):
            if value not in [entry.get(inner) for entry in matrix.get(key, [])]:
                found.append(f"{name}: matrix.{key}.{inner} is never {value}")
        found += [
            f"{name}: {step.get('name', step)} has not one of uses and run"
            for step in job["steps"]
            if ("uses" in step) == ("run" in step)
        ]
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_they_name_exists(file: Path) -> None:
    assert mistakes(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("needs: run", "needs: runs"),
        ("${{ matrix.shard }}/6", "${{ matrix.shards }}/6"),
        ("${{ matrix.target.options }}", "${{ matrix.target.option }}"),
        ("== 'docker-26.9'", "== 'docker-26.8'"),
        ("run: ./regression.py images build", "with: {}"),
    ],
)
def test_mistakes_are_noticed(old: str, new: str) -> None:
    text = (ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
    assert old in text
    assert len(set(mistakes(text.replace(old, new)))) == 1


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="actionlint is not installed")
def test_actionlint_accepts_them() -> None:
    ended = subprocess.run(["actionlint", *map(str, FILES)], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout
