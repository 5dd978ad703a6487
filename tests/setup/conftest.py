"""A tiny project with the real launchers and packages made by hand: set-up without network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from pipelines.system.waiting import poll

SOURCE = Path(__file__).resolve().parents[2]
LAUNCHER = (
    "helpers/__init__.py",
    "helpers/setup",
    "helpers/base",
    "pipelines/__init__.py",
    "pipelines/system",
)
CLI = """
import importlib.metadata, json, os, sys
versions = {}
for name in ("tiny", "tiny-spark", "tiny-dev", "slow"):
    try:
        versions[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps({
    "arguments": sys.argv[1:], "python": sys.executable, "cwd": os.getcwd(), "versions": versions,
}))
"""
# The build of this package waits for a file: set-up can be watched and disturbed meanwhile.
BACKEND = """
import os, time, zipfile
def build_wheel(folder, config_settings=None, metadata_directory=None):
    open(os.environ["GATE"] + ".reached", "w").close()
    while not os.path.exists(os.environ["GATE"]):
        time.sleep(0.02)
    name = "slow-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        wheel.writestr("slow.py", "")
        for file, text in {
            "METADATA": "Metadata-Version: 2.1\\nName: slow\\nVersion: 1.0\\n",
            "WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
            "RECORD": "",
        }.items():
            wheel.writestr("slow-1.0.dist-info/" + file, text)
    return name
"""


def write_wheel(folder: Path, name: str, version: str) -> None:
    """A wheel that holds one empty module."""
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{module}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{module}.py", "")
        wheel.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")


def write_slow_package(folder: Path) -> None:
    """A source package whose build waits until the file named by GATE is there."""
    files = {
        "backend.py": BACKEND,
        "PKG-INFO": "Metadata-Version: 2.1\nName: slow\nVersion: 1.0\n",
        "pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = 'backend'\n"
        "backend-path = ['.']\n",
    }
    with tarfile.open(folder / "slow-1.0.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"slow-1.0/{name}")
            entry.size = len(text.encode())
            archive.addfile(entry, BytesIO(text.encode()))


def copy(source: Path, destination: Path) -> None:
    """Copy a file, or a folder without compiled modules."""
    if source.is_dir():
        shutil.copytree(source, destination, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        destination.parent.mkdir(exist_ok=True)
        shutil.copy(source, destination)


class Project:
    """A copy of the launchers in a project with dependencies of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.venv = root / ".venv"
        self.gate = root / "gate"
        self.wheels = root / "wheels"
        self.variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(root / "home"),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_CACHE_DIR": "1",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.wheels),
            "GATE": str(self.gate),
        }
        root.mkdir(parents=True)
        self.wheels.mkdir()
        shutil.copy(SOURCE / "regression.py", root)
        for name in LAUNCHER:
            copy(SOURCE / name, root / name)
        (root / "helpers" / "cli").mkdir()
        (root / "helpers" / "cli" / "main.py").write_text(CLI)
        for name in ("tiny", "tiny-build", "tiny-spark", "tiny-dev"):
            for version in ("1.0", "2.0"):
                write_wheel(self.wheels, name, version)
        write_slow_package(self.wheels)
        self.pin("tiny==1.0")
        self.hide_ensurepip()

    def hide_ensurepip(self) -> None:
        """As on a Debian without python3-venv; ensurepip would also take seconds per test."""
        self.variables["PYTHONPATH"] = str(self.site_without_ensurepip("site"))

    def site_without_ensurepip(self, name: str) -> Path:
        """A folder for PYTHONPATH in which an interpreter finds no ensurepip."""
        site = self.root / name
        site.mkdir()
        (site / "sitecustomize.py").write_text("import sys; sys.modules['ensurepip'] = None\n")
        return site

    def pin(self, *run: str, spark: str = "tiny-spark==1.0", dev: str = "tiny-dev==1.0") -> None:
        """Write the pins."""
        stages = {"build": ["tiny-build==1.0"], "run": run, "spark": [spark], "dev": [dev]}
        lines = [line for stage, pins in stages.items() for line in (f"# {stage}", *pins)]
        (self.root / "constraints.txt").write_text("\n".join(lines) + "\n")

    def start(self, *arguments: str, python: str = sys.executable) -> subprocess.Popen[str]:
        """Launch without waiting for the end."""
        return subprocess.Popen(
            [python, str(self.root / "regression.py"), *arguments],
            env=self.variables,
            cwd=self.root.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def launch(self, *arguments: str, python: str = sys.executable) -> Launch:
        """Launch and wait for the end."""
        return Launch(self.start(*arguments, python=python))

    def wait_for_build(self) -> None:
        """Until pip is in the middle of its work, building the slow package."""
        eventually(lambda: Path(f"{self.gate}.reached").exists())


class Launch:
    """How a launch ended and what it said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.out, self.err = process.communicate(timeout=300)
        self.code = process.returncode

    @property
    def answer(self) -> dict[str, Any]:
        """What the stub of helpers.cli.main saw."""
        assert self.code == 0, self.err
        answer: dict[str, Any] = json.loads(self.out)
        return answer


def eventually(true: Callable[[], bool], seconds: float = 180) -> None:
    """Wait until it is true, or fail."""
    assert poll(true, seconds), "waited in vain"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """A project that was never set up."""
    fresh = Project(tmp_path / "project")
    yield fresh
    fresh.gate.touch()  # lets a build that a failed test left behind end


@pytest.fixture(scope="session")
def set_up_environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that a first start has made."""
    project = Project(tmp_path_factory.mktemp("template") / "project")
    assert project.launch().code == 0
    return project.venv


@pytest.fixture
def ready(project: Project, set_up_environment: Path) -> Project:
    """A project that was set up: its environment is a copy, which saves pip's seconds."""
    shutil.copytree(set_up_environment, project.venv, symlinks=True)
    return project
