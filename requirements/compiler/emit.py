"""A specification to a Python module: the same text for the same document, always."""

from __future__ import annotations

from pathlib import PurePath

from requirements.compiler.compiled import UNTESTED
from requirements.compiler.specification import RequirementText, Section, Specification

# Where the project's linter objects.
LONGEST_LINE = 110

HEADER = '''\
"""{docstring}"""

# fmt: off{long_lines}

from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification
'''


def emit(specification: Specification) -> str:
    """The source of the module. What is not said in the document is left out."""
    requirements = "\n".join(map(_requirement, specification.requirements))
    code = f"{requirements}\n{_specification(specification)}"
    summary = f"{specification.id} {_escape(specification.title)}"
    docstring = f"{summary}: generated from {PurePath(specification.file).name}, do not edit."
    too_long = any(len(line) > LONGEST_LINE for line in [*code.split("\n"), f'"""{docstring}"""'])
    header = HEADER.format(
        docstring=docstring.replace('"', "'"),
        long_lines="\n# ruff: noqa: E501" if too_long else "",
    )
    return f"{header}\n{code}"


def _requirement(requirement: RequirementText) -> str:
    """One line of fields, then the text."""
    fields = [
        _literal(requirement.name),
        _literal(requirement.version),
        f"level={requirement.level}",
        f"num={_literal(requirement.number)}",
    ]
    if requirement.origin:
        fields.append(f"group={_literal(requirement.origin)}")
    if requirement.untested_reason:
        fields.append(f"type={_literal(UNTESTED + requirement.untested_reason)}")
    fields.append(f"description={_block(requirement.text)}")
    return f"{requirement.python_name} = Requirement({', '.join(fields)})\n"


def _specification(specification: Specification) -> str:
    state = [
        f"    status={_literal(specification.state)},",
        f"    description={_literal(specification.reason)},",
    ]
    return "\n".join(
        [
            f"{specification.python_name} = Specification(",
            f"    name={_literal(f'{specification.id} {specification.title}')},",
            '    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),',
            *(state if specification.planned else ()),
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
    title, number = _literal(section.title), _literal(section.number)
    return f"        Specification.Heading({title}, {section.level}, {number}),"


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
