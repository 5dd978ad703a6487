"""A specification to a Python module: the same text for the same document, always."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from requirements.compiler.model import RequirementText, Specification

# Where the project's formatter wraps, and where its linter objects.
LINE_LENGTH = 100
LONGEST_LINE = 110

HEADER = '''\
"""{docstring}"""

{long_lines}from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification

from requirements.compiler import model
'''


def emit(specification: Specification) -> str:
    """The source of the module, formatted as the project's formatter would."""
    requirements = "\n".join(_requirement(each) for each in specification.requirements)
    code = f"{requirements}\n{_table(specification)}\n{_specification(specification)}"
    summary = f"{specification.id} {_escape(specification.title)}"
    docstring = f"{summary}: generated from {PurePath(specification.file).name}, do not edit."
    too_long = any(len(line) > LONGEST_LINE for line in [*code.split("\n"), f'"""{docstring}"""'])
    header = HEADER.format(
        docstring=docstring.replace('"', "'"),
        long_lines="# ruff: noqa: E501\n\n" if too_long else "",
    )
    return f"{header}\n{code}"


def _requirement(requirement: RequirementText) -> str:
    return "\n".join(
        [
            f"{requirement.python_name} = Requirement(",
            f"    name={_literal(requirement.name)},",
            f"    version={_literal(requirement.version)},",
            f"    description={_block(requirement.text)},",
            f"    level={requirement.level},",
            f"    num={_literal(requirement.number)},",
            ")",
            "",
        ]
    )


def _specification(specification: Specification) -> str:
    return "\n".join(
        [
            f"{specification.python_name} = Specification(",
            f"    name={_literal(f'{specification.id} {specification.title}')},",
            '    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),',
            "    headings=tuple(",
            "        Specification.Heading(section.title, section.level, section.number)",
            "        for section in TABLE.sections",
            "    ),",
            "    requirements=(",
            *(f"        {requirement.python_name}," for requirement in specification.requirements),
            "    ),",
            ")",
            "",
        ]
    )


def _table(specification: Specification) -> str:
    """The plain record, with what TestFlows has no place for: line, heading path, hash."""
    scalars = ("id", "title", "file", "line", "state", "reason")
    lines = ["TABLE = model.Specification("]
    lines += [f"    {key}={_literal(getattr(specification, key))}," for key in scalars]
    lines.append("    sections=(")
    for section in specification.sections:
        lines.append("        model.Section(")
        for key in section.__slots__:
            lines.append(f"            {key}={_literal(getattr(section, key))},")
        lines.append("        ),")
    lines += ["    ),", "    requirements=("]
    for requirement in specification.requirements:
        lines += _row(requirement)
    return "\n".join([*lines, "    ),", ")", ""])


def _row(requirement: RequirementText) -> Iterable[str]:
    indent = " " * 12
    yield "        model.RequirementText("
    for key in requirement.__slots__:
        if key == "heading_path":
            yield from _tuple(indent, key, requirement.heading_path)
        elif key == "text":
            yield f"{indent}text={requirement.python_name}.description,"
        else:
            yield f"{indent}{key}={_literal(getattr(requirement, key))},"
    yield "        ),"


def _tuple(indent: str, key: str, values: tuple[str, ...]) -> Iterable[str]:
    if len(values) < 2:
        inner = f"{_literal(values[0])}," if values else ""
        line = f"{indent}{key}=({inner}),"
        if len(line) <= LINE_LENGTH or not values:
            yield line
            return
    yield f"{indent}{key}=("
    yield from (f"{indent}    {_literal(value)}," for value in values)
    yield f"{indent}),"


def _literal(value: str | int) -> str:
    """A one-line literal in the quotes the formatter prefers."""
    if isinstance(value, int):
        return str(value)
    quote = "'" if value.count('"') > value.count("'") else '"'
    return quote + _escape(value).replace(quote, "\\" + quote) + quote


def _block(text: str) -> str:
    """A triple-quoted literal, so that a generated module reads like its document."""
    lines = "\n".join(_escape(line) for line in text.split("\n"))
    return '"""\\\n' + lines.replace('"""', '\\"\\"\\"') + '\\\n"""'


def _escape(text: str) -> str:
    """Backslashes doubled and characters that no editor shows spelt out."""
    text = text.replace("\\", "\\\\")
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )
