"""Set-ups that cannot be made: one clear message each, and the exit code that says whose fault."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from helpers.base.errors import EnvironmentFailed
from helpers.setup import pip_install, virtualenv
from helpers.setup.failures import failed
from tests.setup.conftest import SOURCE, Project


def test_without_network_it_says_what_to_do(project: Project) -> None:
    project.variables["PIP_NO_INDEX"] = "0"
    project.variables["PIP_RETRIES"] = "1"
    project.variables["PIP_INDEX_URL"] = "http://127.0.0.1:9/simple"  # nobody listens there
    project.pin("absent==1.0")
    launch = project.launch()
    assert launch.code == 3
    assert "pip could not reach the package index" in launch.err
    assert "Connection refused" in launch.err
    for words in ("HTTPS_PROXY", "PIP_INDEX_URL", "PIP_FIND_LINKS"):
        assert words in launch.err
    assert "Traceback" not in launch.err
    project.pin("tiny==1.0")
    assert project.launch().answer["versions"] == {"tiny": "1.0"}, "the next start repairs it"


def test_a_package_that_is_not_there_is_named(project: Project) -> None:
    project.pin("tiny==1.0", "absent==1.0")
    launch = project.launch()
    assert launch.code == 3
    assert "No matching distribution found for absent==1.0" in launch.err


@pytest.mark.parametrize("version", [(3, 8), (3, 99)])
def test_an_unsupported_python_says_so(
    project: Project, tmp_path: Path, version: tuple[int, int]
) -> None:
    wrapper = tmp_path / "bin" / "python3.12"
    wrapper.parent.mkdir()
    wrapper.write_text("#!/bin/sh\necho no such version >&2\nexit 127\n")
    wrapper.chmod(0o755)
    pretend(project, version)
    project.variables["PATH"] = str(wrapper.parent)
    launch = project.launch()
    assert launch.code == 2
    expected = f"it needs one of Python 3.11, 3.12, 3.13; this is {version[0]}.{version[1]} "
    assert launch.err.startswith(f"regression.py: {expected}")
    assert str(wrapper) in launch.err
    assert launch.err.count("\n") == 1
    assert not project.venv.exists()


def test_an_unsupported_python_hands_over_to_a_supported_one(
    project: Project, tmp_path: Path
) -> None:
    """One that does not run, as version managers leave them, is passed over."""
    folders = [tmp_path / name for name in ("broken", "good")]
    for folder in folders:
        folder.mkdir()
    (folders[0] / "python3.13").write_text("#!/bin/sh\nexit 127\n")
    (folders[0] / "python3.13").chmod(0o755)
    (folders[1] / "python3.11").write_text(
        f'#!/bin/sh\nPYTHONPATH="{project.site_without_ensurepip("other site")}"\n'
        f'exec "{sys.executable}" "$@"\n'
    )
    (folders[1] / "python3.11").chmod(0o755)
    pretend(project, (3, 6))
    project.variables["PATH"] = os.pathsep.join(map(str, folders))
    launch = project.launch("x")
    assert launch.answer["arguments"] == ["x"]
    assert f"with Python 3.{sys.version_info[1]}." in launch.err


def pretend(project: Project, version: tuple[int, int]) -> None:
    """Let the interpreter that starts the launcher believe to be of another version."""
    site = Path(project.variables["PYTHONPATH"]) / "sitecustomize.py"
    with site.open("a") as file:
        file.write(f"sys.version_info = {(*version, 0, 'final', 0)}\n")


def test_what_old_pythons_read_has_their_syntax() -> None:
    for name in (
        "regression.py",
        "test",
        "helpers/__init__.py",
        "helpers/setup/bootstrap.py",
        "helpers/setup/virtualenv.py",
    ):
        ast.parse((SOURCE / name).read_text(), name, feature_version=(3, 6))


def test_supported_versions_are_those_of_the_project() -> None:
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]
    oldest, newest = virtualenv.SUPPORTED[0], virtualenv.SUPPORTED[-1]
    expected = f">={oldest[0]}.{oldest[1]},<{newest[0]}.{newest[1] + 1}"
    assert project["requires-python"] == expected


def test_a_folder_that_cannot_be_written(project: Project) -> None:
    folder = project.root / "closed"
    folder.mkdir(mode=0o555)
    if os.geteuid() == 0:  # whom permissions do not stop
        folder = Path("/sys")
    project.variables["REGRESSION_VENV"] = str(folder / "venv")
    launch = project.launch()
    assert launch.code == 3
    assert str(folder / "venv") in launch.err
    assert "REGRESSION_VENV" in launch.err
    assert launch.err.count("\n") == 1


def test_a_folder_of_something_else_is_left_alone(project: Project) -> None:
    project.venv.mkdir()
    (project.venv / "thesis.txt").write_text("valuable")
    launch = project.launch()
    assert launch.code == 2
    assert "remove it, or name another folder in REGRESSION_VENV" in launch.err
    assert (project.venv / "thesis.txt").read_text() == "valuable"


def test_a_full_disk_is_called_that(tmp_path: Path) -> None:
    output = "Installing collected packages: a\nERROR: [Errno 28] No space left on device\n"
    error = failed("pip", 1, output, tmp_path, "")
    assert error.exit_code == 3
    assert "2 GB" in str(error)
    assert "REGRESSION_VENV" in str(error)


def test_broken_pins_are_named(project: Project) -> None:
    (project.root / "constraints.txt").write_text("# run\ntiny\n")
    launch = project.launch()
    assert launch.code == 2
    assert f"{project.root / 'constraints.txt'}:2" in launch.err
    assert launch.err.count("\n") == 1


def test_neither_ensurepip_nor_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip_install, "pip_of_base", lambda: None)
    with pytest.raises(EnvironmentFailed, match="python3-venv"):
        pip_install.pip(sys.executable, has_pip=False)


def test_an_environment_without_pip_makes_one_without_it(project: Project) -> None:
    (project.root / "venvs").mkdir()
    bare = project.root / "venvs" / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    launch = project.launch(python=str(bare / "bin" / "python"))
    assert launch.answer["versions"] == {"tiny": "1.0"}, "pip of the base interpreter was used"
