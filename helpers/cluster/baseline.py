"""The baseline: settings that every statement runs with, the same in every environment.

They are one list, configs/server_profile.xml, and server_profile_later.xml for settings that fewer versions
know. A server of our own has them in its profile; to one that runs already they are sent with each statement,
over the native protocol and over HTTP.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from helpers.base.paths import CONFIGS

PROFILE = "server_profile.xml"
PROFILES = (PROFILE, "server_profile_later.xml")

_chosen: dict[str, str] = {}


def baseline() -> dict[str, str]:
    """The settings by name."""
    listed = {
        setting.tag: (setting.text or "").strip()
        for name in PROFILES
        for setting in ElementTree.parse(CONFIGS / name).iterfind("profiles/default/*")
    }
    return listed | _chosen


def choose(settings: Mapping[str, str]) -> None:
    """Add the settings that the user gives to the baseline of this process."""
    _chosen.clear()
    _chosen.update(settings)


def chosen() -> str:
    """The user's settings as a text that ClickHouse merges over its users; empty without any."""
    tags = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in _chosen.items())
    profiles = f"<clickhouse><profiles><default>{tags}</default></profiles></clickhouse>"
    return profiles if tags else ""
