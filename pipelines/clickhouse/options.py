"""Options of a data source: texts by name, where a mistyped name is an error and not ignored."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, MutableMapping
from typing import ClassVar

from pyspark.sql.datasource import DataSource

from pipelines.errors import PipelineError


class CheckedSource(DataSource):
    """A data source that knows its options."""

    NAME: ClassVar[str]
    OPTIONS: ClassVar[tuple[str, ...]]

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        check_options(self.NAME, options, self.OPTIONS)

    @classmethod
    def name(cls) -> str:
        return cls.NAME

    def required(self, *names: str) -> dict[str, str]:
        """These options; an error if one of them is missing or empty."""
        for name in names:
            if not self.options.get(name):
                raise PipelineError(f"The data source {self.NAME} needs the option '{name}'.")
        return {name: self.options[name] for name in names}

    def given(self, *names: str) -> dict[str, str]:
        """Those of these options that are given."""
        return {name: self.options[name] for name in names if self.options.get(name)}


def check_options(source: str, options: Mapping[str, str], known: tuple[str, ...]) -> None:
    """Refuses what the data source does not know."""
    for name in options:
        if name.lower() not in known:
            close = difflib.get_close_matches(name.lower(), known, n=1)
            hint = f"Did you mean '{close[0]}'?" if close else f"It knows {', '.join(known)}."
            raise PipelineError(f"The data source {source} has no option '{name}'. {hint}")


def choice(source: str, options: Mapping[str, str], name: str, known: tuple[str, ...]) -> str:
    """One of a few words; the first is the default."""
    value = options.get(name, "") or known[0]
    if value not in known:
        raise PipelineError(
            f"The option '{name}' of {source} is one of {', '.join(known)}, not '{value}'."
        )
    return value


def names(options: Mapping[str, str], name: str) -> list[str]:
    """A list of names, separated by commas."""
    return [text.strip() for text in options.get(name, "").split(",") if text.strip()]


def number(source: str, options: Mapping[str, str], name: str, default: int) -> int:
    value = options.get(name, "") or str(default)
    if not value.isdecimal() or int(value) < 1:
        raise PipelineError(f"The option '{name}' of {source} is a number above 0, not '{value}'.")
    return int(value)
