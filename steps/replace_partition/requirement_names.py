"""What a requirement names, against the variants that its scenario tries: none of them may be missing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from testflows.core import Requirement

EXAMPLES = re.compile(r"```.*?```", re.DOTALL)
NAME = re.compile(r"`([^`]+)`")


def not_tried(
    requirement: Requirement, variants: Iterable[str], *, apart_from: Collection[str] = ()
) -> list[str]:
    """The names in backquotes of a requirement's text that stand, as whole words, in no variant.

    `apart_from` are those that are no variants, such as the name of the statement itself.
    """
    tried = list(variants)
    named = dict.fromkeys(NAME.findall(EXAMPLES.sub("", requirement.description)))
    return [
        name
        for name in named
        if name not in apart_from
        and not any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", variant) for variant in tried)
    ]
