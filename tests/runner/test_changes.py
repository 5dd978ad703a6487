"""Which scenarios use what changed since a commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from helpers.base.errors import UsageError
from helpers.cli import main as cli
from helpers.runner.changes import Changes, digests_of, since
from helpers.scenario.marks import Marks
from helpers.scenario.scenario import Scenario

FILES = {
    "steps/tables.py": "from steps.deep import width\nROWS = 3\n"
    "def fill():\n    return ROWS + width()\n"
    "def other():\n    return 1\n",
    "steps/deep.py": "def width():\n    return 7\n",
    "requirements/srs.py": "RQ_A = Requirement('RQ.A', '1.0')\nRQ_B = Requirement('RQ.B', '1.0')\n",
    "scenarios/feature/topic.py": "from requirements.srs import RQ_A, RQ_B\n"
    "from steps.tables import fill, other\n"
    "@Requirements(RQ_A('1.0'))\ndef first(self):\n    fill()\n"
    "@Requirements(RQ_B('1.0'))\ndef second(self):\n    from steps.deep import width\n    other()\n",
}
LINES = {"first": 3, "second": 6}


class Repository:
    """A checkout with two scenarios."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name, text in FILES.items():
            self.write(name, text)
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
            who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
            subprocess.run(["git", "-C", root, *who, *command], check=True)

    def write(self, name: str, text: str) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def edit(self, name: str, old: str, new: str) -> None:
        assert old in FILES[name]
        self.write(name, FILES[name].replace(old, new))

    @property
    def scenarios(self) -> dict[str, Scenario]:
        file = "scenarios/feature/topic.py"
        rest = ((), Marks(), None)
        return {
            name: Scenario(f"/feature/topic/{name}", "feature", "topic", name, file, line, *rest)
            for name, line in LINES.items()
        }

    def changes(self, base: str = "HEAD") -> Changes:
        return since(base, self.scenarios.values(), self.root)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_a_file_that_cannot_be_read_any_more_has_no_digest(repository: Repository) -> None:
    """Files are edited while a run goes on; its results must be written all the same."""
    before = digests_of(repository.scenarios, repository.root)
    assert before["first"].keys() == {"scenarios.feature.topic", "steps.tables", "steps.deep"}
    repository.write("steps/tables.py", "def fill(:")
    assert digests_of(repository.scenarios, repository.root) == {"first": {}, "second": {}}


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("steps/tables.py", "ROWS = 3", "ROWS = 4", {"first"}),
        ("steps/tables.py", "return 1", "return 2", {"second"}),
        ("steps/tables.py", "def other", "# a remark\ndef other", set()),
        ("steps/deep.py", "return 7", "return 8", {"first", "second"}),
        ("requirements/srs.py", "'RQ.B', '1.0'", "'RQ.B', '1.1'", {"second"}),
        ("scenarios/feature/topic.py", "    fill()", "    fill(2)", {"first"}),
        ("scenarios/feature/topic.py", "import fill,", "import fill, more,", set()),
    ],
)
def test_what_uses_a_change(
    repository: Repository, file: str, old: str, new: str, expected: set[str]
) -> None:
    repository.edit(file, old, new)
    changes = repository.changes()
    assert {name.rpartition("/")[2] for name in changes.scenarios} == expected
    assert changes.files == [file]


def test_marks_of_a_file_concern_all_its_scenarios(repository: Repository) -> None:
    repository.write(
        "scenarios/feature/topic.py", FILES["scenarios/feature/topic.py"] + "NEEDS = (1,)\n"
    )
    assert len(repository.changes().scenarios) == 2


def test_other_files_are_named(repository: Repository) -> None:
    repository.write("helpers/new.py", "")
    repository.write("docs/new.md", "")
    changes = repository.changes()
    assert (changes.scenarios, changes.others) == ({}, ["helpers/new.py"])


@pytest.mark.parametrize("base", ["nowhere", "--output=written", "HEAD..HEAD", "HEAD:steps"])
def test_a_base_that_is_no_commit(repository: Repository, base: str) -> None:
    with pytest.raises(UsageError, match="--base: "):
        repository.changes(base)
    assert not [*repository.root.rglob("written")]


@pytest.mark.parametrize("option", [("--only", "*"), ("--last-failed",), ("--plan",)])
def test_another_choice_is_refused(
    capsys: pytest.CaptureFixture[str], option: tuple[str, ...]
) -> None:
    assert cli.main(["changed", "--base", "HEAD", *option]) == 2
    assert f"{option[0]} does not go with changed" in capsys.readouterr().err
