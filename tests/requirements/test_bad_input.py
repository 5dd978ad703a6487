"""Files that are no specifications: a diagnostic with file and line, exit code 2, never a trace."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from requirements.checker.engine import check_documents
from requirements.commands import check
from requirements.compiler.emit import emit
from requirements.compiler.parse import parse
from tests.requirements.documents import GOOD

FILES = [
    ("file-empty", b"", "1:1"),
    ("file-empty", b" \n\n", "1:1"),
    ("file-binary", b"# SRS-900 T\n\nx \xff\xfe", "3:3"),
    ("file-binary", b"# SRS-900 T\n\0", "2:1"),
    ("file-too-large", b"# SRS-900 T\n\n" + b"x" * 30_000, "3:1"),
    ("no-title", b"just words\n", "1:1"),
    ("two-specifications", GOOD.encode() + b"\n# SRS-901 Other\n", "39:1"),
    ("unbalanced-fence", GOOD.encode() + b"\n```sql\nSELECT 1;\n", "39:1"),
    ("unclosed-comment", GOOD.encode() + b"\n<!-- no end\n", "39:1"),
]


@pytest.mark.parametrize(("rule", "data", "place"), FILES)
def test_a_file_that_is_no_specification(
    rule: str, data: bytes, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.md"
    path.write_bytes(data)
    assert check([path]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert any(f"bad.md:{place}: error:" in line and f"[{rule}]" in line for line in lines), lines


def test_a_file_that_is_not_there_or_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path / "none.md", tmp_path):
        assert check([path]) == 2
        assert "[file-missing]" in capsys.readouterr().out


def test_one_bad_file_does_not_hide_the_findings_in_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.md").write_text(GOOD.replace("version: 1.0", "version: x"))
    assert check([tmp_path / "none.md", tmp_path / "bad.md"]) == 2
    assert "[malformed-version]" in capsys.readouterr().out


def test_fifty_megabytes_are_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "huge.md"
    with path.open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    started = time.perf_counter()
    assert check([path]) == 2
    assert time.perf_counter() - started < 0.5
    assert "50.0 MB" in capsys.readouterr().out


@pytest.mark.parametrize(
    "unit", ["[", "> ", "* ", "`", "|\n", "<!--", "# x\n", "**a", "[a]: b\n", "- \n"]
)
def test_monotonous_text_is_checked_in_reasonable_time(unit: str) -> None:
    text = "# SRS-900 T\n\n" + unit * (20_000 // len(unit))
    started = time.perf_counter()
    check_documents([parse(text, "a.md")])
    assert time.perf_counter() - started < 10


def test_nothing_raises_whatever_the_text() -> None:
    generator = random.Random(20_261_116)
    alphabet = [
        "\n",
        "\n\n",
        "#",
        " ",
        "RQ.",
        "version: ",
        "```",
        "'''",
        "|",
        "-",
        "[",
        "](",
        ")",
        "x",
    ]
    alphabet += [
        "SHALL",
        "<!--",
        "-->",
        "\\",
        ">",
        "*",
        "\u2028",
        "\t",
        "é",
        "\x0b",
        "`",
        "[a]: b\n",
    ]
    for _ in range(400):
        text = "".join(generator.choices(alphabet, k=generator.randrange(1, 80)))
        document = parse(text, "a.md")
        check_documents([document])
        emit(document.specification)


def test_a_document_cut_off_anywhere_is_still_read() -> None:
    for end in range(0, len(GOOD), 7):
        for text in (GOOD[:end], GOOD[end:], GOOD[:end] + "\r\n" + GOOD[end:]):
            check_documents([parse(text, "a.md")])
