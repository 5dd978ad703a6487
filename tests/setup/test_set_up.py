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
    for words in (
        "setting up",
        "collecting tiny-1.0",
        "installing 1 packages",
        " % of 1 MB",
        "ready",
    ):
        assert words in first.err

    assert not list(project.venv.rglob("tiny*.pyc")), "compiled when it is imported"
    assert not (project.venv / "tmp").exists()
    assert "compression = stored" in (project.venv / "regression-build.cfg").read_text()

    second = project.launch()
    assert second.answer["versions"] == {"tiny": "1.0"}
    assert second.err == ""


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
    with (ready.root / "constraints.txt").open("a") as file:
        file.write("# a comment\n")
    ready.variables["PIP_FIND_LINKS"] = "/nonexistent"  # pip could not install anything
    assert ready.launch().err == ""
    stamp = ready.venv / "regression-run.stamp"
    assert "a comment" in stamp.read_text(), "the next start need not look again"


def prepare(project: Project, stage: str) -> subprocess.CompletedProcess[str]:
    """Set the project up to this stage; prints its Python."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); from helpers.setup import bootstrap as b\n"
    )
    script += "print(b.prepare(*sys.argv[1:]))"
    command = [sys.executable, "-c", script, str(project.root), stage]
    return subprocess.run(command, env=project.variables, capture_output=True, text=True)


def test_later_stages_are_added_to_the_same_environment(ready: Project) -> None:
    added = prepare(ready, "dev")
    assert added.stdout.strip() == str(ready.venv / "bin" / "python"), added.stderr
    after = ready.launch()
    expected = {"tiny": "1.0", "tiny-spark": "1.0", "tiny-dev": "1.0"}
    assert after.answer["versions"] == expected
    assert after.err == ""


def test_what_was_left_of_a_later_stage_is_overwritten_and_hinders_no_run(ready: Project) -> None:
    """As if its set-up had been killed: the mark is there, and half of a package."""
    (ready.venv / "regression-busy-spark").touch()
    [packages] = ready.venv.glob("lib/python*/site-packages")
    (packages / "tiny_spark-1.0.dist-info").mkdir()
    assert ready.launch().err == "", "a run needs nothing of it"
    done = prepare(ready, "spark")
    assert done.returncode == 0, done.stderr
    assert (packages / "tiny_spark.py").exists()
    assert not (ready.venv / "regression-busy-spark").exists()


def test_commands_that_need_spark_install_it_first(ready: Project) -> None:
    assert "tiny-spark" in ready.launch("export").answer["versions"]


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
    [packages] = complete.glob("lib/python*/site-packages")
    (packages / "tiny_spark-1.0.dist-info").mkdir()
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
