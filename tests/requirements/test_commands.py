"""The commands as a user meets them: exit codes, carets, annotations, JSON, the documentation."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from requirements.checker import engine  # noqa: F401 - registers the rules
from requirements.checker.registry import RULES
from requirements.commands import accept, check, compile_
from requirements.compiler.files import ROOT
from tests.requirements.documents import GOOD, WHY, make_project

BAD_VERSION = GOOD.replace("version: 1.0", "version: v1")
WARNING_ONLY = GOOD.replace("```sql", "```")


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "document.md"
    path.write_text(text)
    return path


def test_a_diagnostic_shows_place_rule_source_caret_and_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    path = write(tmp_path, BAD_VERSION)
    assert check([path]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{path}:17:10: error: 'v1' is not a version [malformed-version]",
        "    version: v1",
        "             ^~",
        "    hint: write two numbers with a dot, like 1.0",
        "1 specification, 2 requirements: 1 error, 0 warnings",
    ]


def test_a_long_line_is_shown_around_its_caret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(
        [write(tmp_path, GOOD.replace("inserted.", "inserted, " + "one by one, " * 40 + "SHALL."))]
    )
    source, caret = capsys.readouterr().out.splitlines()[1:3]
    assert source[caret.index("^") :].startswith("SHALL") and len(source) <= 100


def test_github_gets_annotations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    path = write(tmp_path, BAD_VERSION)
    check([path])
    assert capsys.readouterr().out.splitlines()[0] == (
        f"::error file={path},line=17,col=10,title=malformed-version::"
        "'v1' is not a version. write two numbers with a dot, like 1.0"
    )


def test_json_is_all_that_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check([write(tmp_path, BAD_VERSION)], as_json_report=True) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["schema"], report["errors"], report["warnings"]) == (1, 1, 0)
    (diagnostic,) = report["diagnostics"]
    assert (diagnostic["line"], diagnostic["column"]) == (17, 10)
    assert (diagnostic["rule"], diagnostic["level"]) == ("malformed-version", "error")


def test_warnings_fail_only_when_asked_to(tmp_path: Path) -> None:
    path = write(tmp_path, WARNING_ONLY)
    assert check([path]) == 0
    assert check([path], strict=True) == 1


def test_a_project_without_specifications_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(root=tmp_path) == 2
    assert "no specification" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code"), [(["check", "none.md"], 2), (["accept"], 2), ([], 2), (["--help"], 0)]
)
def test_the_command_line_never_ends_in_a_trace(arguments: list[str], code: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "requirements", *arguments], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD.replace("version: 1.0\n", "") + "x \n" * 20_000)
    command = [sys.executable, "-m", "requirements", "check", str(path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout and process.stderr
        assert process.stdout.readline().endswith("[missing-version]\n")
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_the_documentation_lists_exactly_the_rules() -> None:
    text = (ROOT / "docs" / "checker-rules.md").read_text()
    rows = re.findall(r"^\| `([a-z-]+)` \| (\w+) \| (.+?) \|$", text, re.MULTILINE)
    levels = {r.id: "fatal" if r.fatal else r.level for r in RULES.values()}
    assert {(id, level, what) for id, level, what in rows} == {
        (r.id, levels[r.id], r.description) for r in RULES.values()
    }
    assert len(rows) == len(RULES)


def test_rules_are_named_alike() -> None:
    for rule in RULES.values():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.id)
        assert rule.level in ("error", "warning") and rule.description.endswith(".")
        assert rule.hint and not rule.hint.endswith(".")


def test_a_tree_that_cannot_be_written_is_an_error_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_project(tmp_path)
    accepted = root / "requirements" / "accepted.json"
    accepted.unlink()
    accepted.symlink_to(tmp_path / "gone" / "accepted.json")
    assert accept([], reason=WHY, everything=True, root=root) == 2
    assert "accepted.json cannot be written: No such file" in capsys.readouterr().err
    module = root / "requirements" / "srs900_example.py"
    module.unlink()
    module.mkdir()
    assert compile_(root=root) == 2
    assert "srs900_example.py cannot be written: Is a directory" in capsys.readouterr().err
