"""Command lines: what is wrong with one is said in one line, with the option that may have been meant."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from helpers.errors import UsageError, nearest

UNKNOWN = re.compile(r"unrecognized arguments: (-\S*)")


class Parser(argparse.ArgumentParser):
    """A parser whose help keeps the lines as they are written."""

    def __init__(self, prog: str, **keywords: object) -> None:
        keywords.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(prog=prog, **keywords)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """One line instead of the whole usage before it."""
        unknown = UNKNOWN.search(message)
        near = nearest(unknown[1].partition("=")[0], self._option_string_actions) if unknown else ""
        raise UsageError(f"{message}.{near} {self.prog} --help shows what there is.")
