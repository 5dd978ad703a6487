"""Expressions of workflows, `${{ … }}`: contexts, comparisons and the functions about the state of a job."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.S)
NAME = re.compile(r"\b(?:matrix|github|steps|runner|env)(?:\.[\w-]+)+")
STATE = re.compile(r"\b(?:always|success|failure|cancelled)\(\)")


def value(expression: str, contexts: Mapping[str, Any], *, failed: bool) -> Any:
    """The value of an expression in a job in which a step has failed or not."""
    known = {
        "always()": True,
        "success()": not failed,
        "failure()": failed,
        "cancelled()": False,
    }

    def looked_up(match: re.Match[str]) -> str:
        found: Any = contexts
        for key in match[0].split("."):
            found = found.get(key, "") if isinstance(found, Mapping) else ""
        return repr(found)

    text = re.sub(r"hashFiles\([^)]*\)", "'hash'", expression.strip())
    text = STATE.sub(lambda match: repr(known[match[0]]), NAME.sub(looked_up, text))
    text = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or "))
    # The workflows are this repository's own.
    return eval(text, {"__builtins__": {}})


def filled(text: str, contexts: Mapping[str, Any], *, failed: bool) -> str:
    """A text with the values of its expressions."""
    return EXPRESSION.sub(lambda found: str(value(found[1], contexts, failed=failed)), text)


def holds(condition: str, contexts: Mapping[str, Any], *, failed: bool) -> bool:
    """Whether a step with this condition is executed; one that asks nothing about failures needs success."""
    bare = condition.strip().removeprefix("${{").removesuffix("}}")
    chosen = bool(value(bare, contexts, failed=failed))
    return chosen and (bool(STATE.search(condition)) or not failed)
