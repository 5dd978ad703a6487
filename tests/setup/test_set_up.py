"""The first start, the following ones, and starts after the pins changed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.setup.conftest import Project


def test_first_start_sets_up_and_the_second_only_starts(project: Project) -> None:
    first = project.launch("--only", "/a b/*")
    assert first.answer["arguments"] == ["--only", "/a b/*"]
    assert first.answer["versions"] == {"tiny": "1.0"}
    assert first.answer["python"] == str(project.venv / "bin" / "python")
    assert first.answer["cwd"] == str(project.root.parent), "relative paths are the user's"
    for words in ("setting up", "collecting tiny-1.0", "installing 1 packages", "ready"):
        assert words in first.err

    assert not list(project.venv.rglob("tiny*.pyc")), "compiled when it is imported"
    assert "compression = stored" in (project.venv / "regression-build.cfg").read_text()

    second = project.launch()
    assert second.answer["versions"] == {"tiny": "1.0"}
    assert second.err == ""


@pytest.mark.nightly
def test_with_ensurepip_the_environment_has_its_own_pip(project: Project) -> None:
    del project.variables["PYTHONPATH"]
    assert project.launch().answer["versions"] == {"tiny": "1.0"}
    subprocess.run([project.venv / "bin" / "python", "-m", "pip", "--version"], check=True)


def test_changed_pins_are_installed_at_the_next_start(ready: Project) -> None:
    ready.pin("tiny==2.0")
    changed = ready.launch()
    assert changed.answer["versions"] == {"tiny": "2.0"}
    assert "collecting tiny-2.0" in changed.err
    assert ready.launch().err == ""


def test_compiled_modules_are_kept_where_none_may_lie_beside_their_source(ready: Project) -> None:
    ready.variables["PYTHONDONTWRITEBYTECODE"] = "1"
    assert ready.launch().answer["versions"] == {"tiny": "1.0"}
    assert list((ready.venv / "cache" / "bytecode").rglob("helpers/__init__.*.pyc"))
    assert not list(ready.root.glob("helpers/**/*.pyc"))


def test_a_stamp_survives_edits_that_change_no_pin(ready: Project) -> None:
    with (ready.root / "pyproject.toml").open("a") as file:
        file.write("[tool.other]\nkey = 1\n")
    ready.variables["PIP_FIND_LINKS"] = "/nonexistent"  # pip could not install anything
    assert ready.launch().err == ""
    stamp = ready.venv / "regression-run.stamp"
    assert "[tool.other]" in stamp.read_text(), "the next start need not look again"


def test_a_pin_of_a_dependency_of_a_dependency_counts(project: Project) -> None:
    project.pin("tiny==1.0", "tiny-dev==1.0")
    assert project.launch().code == 0
    project.pin("tiny==1.0", dev="tiny-dev==2.0")
    assert "setting up" in project.launch().err


def test_the_dev_profile_is_added_to_the_same_environment(ready: Project) -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); from helpers.setup import bootstrap as b\n"
    )
    script += "print(b.prepare(sys.argv[1], 'dev'))"
    command = [sys.executable, "-c", script, str(ready.root)]
    added = subprocess.run(command, env=ready.variables, capture_output=True, text=True)
    assert added.stdout.strip() == str(ready.venv / "bin" / "python"), added.stderr
    after = ready.launch()
    assert after.answer["versions"] == {"tiny": "1.0", "tiny-dev": "1.0"}
    assert after.err == "", "the stamp of the run profile was renewed too"


def test_regression_venv_names_another_folder(project: Project, tmp_path: Path) -> None:
    project.variables["REGRESSION_VENV"] = str(tmp_path / "else where" / "venv")
    assert project.launch().answer["python"].startswith(str(tmp_path / "else where"))
    assert not project.venv.exists()


def test_a_module_in_the_working_directory_shadows_nothing(project: Project) -> None:
    (project.root.parent / "helpers").mkdir()
    (project.root.parent / "helpers" / "__init__.py").write_text("raise SystemExit(9)")
    assert project.launch().code == 0


@pytest.mark.parametrize("activated", [True, False])
def test_an_environment_that_has_everything_is_used(
    project: Project, set_up_environment: Path, activated: bool
) -> None:
    """An activated one is preferred even to a .venv; any other only where there is no .venv."""
    complete = project.root / "complete"
    shutil.copytree(set_up_environment, complete, symlinks=True)
    if activated:
        project.variables["VIRTUAL_ENV"] = str(complete)
        project.venv.mkdir()
    used = project.launch(python=str(complete / "bin" / "python"))
    assert used.answer["python"] == str(complete / "bin" / "python")
    assert used.err == ""
    assert not project.venv.exists() or not list(project.venv.iterdir())


def test_an_activated_environment_that_lacks_something_is_not_used(project: Project) -> None:
    other = project.root / "other"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", other], check=True)
    project.variables["VIRTUAL_ENV"] = str(other)
    assert project.launch().answer["python"] == str(project.venv / "bin" / "python")


def test_an_environment_made_by_hand_is_completed(project: Project) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", project.venv], check=True)
    (project.venv / "mine").touch()
    assert project.launch().answer["versions"] == {"tiny": "1.0"}
    assert (project.venv / "mine").exists()
