"""A specification to a Python module: the same text for the same document, always."""

from __future__ import annotations

from pathlib import PurePath

from requirements.compiler.model import RequirementText, Section, Specification

# Where the project's formatter wraps, and where its linter objects.
LINE_LENGTH = 100
LONGEST_LINE = 110

HEADER = '''\
"""{docstring}"""

{long_lines}from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification
'''


def emit(specification: Specification) -> str:
    """The source of the module, formatted as the project's formatter would."""
    requirements = "\n".join(map(_requirement, specification.requirements))
    code = f"{requirements}\n{_specification(specification)}"
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
            "    headings=(",
            *map(_heading, specification.sections),
            "    ),",
            "    requirements=(",
            *(f"        {requirement.python_name}," for requirement in specification.requirements),
            "    ),",
            ")",
            "",
        ]
    )


def _heading(section: Section) -> str:
    """One line, or one for each argument where the formatter would wrap it."""
    arguments = [_literal(section.title), str(section.level), _literal(section.number)]
    line = f"        Specification.Heading({', '.join(arguments)}),"
    if len(line) <= LINE_LENGTH:
        return line
    wrapped = "".join(f"            {argument},\n" for argument in arguments)
    return f"        Specification.Heading(\n{wrapped}        ),"


def _literal(value: str) -> str:
    """A one-line literal in the quotes the formatter prefers."""
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
