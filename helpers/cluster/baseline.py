"""The baseline: settings that every statement runs with, the same in every environment.

They are one list, configs/server_profile.xml, and server_profile_later.xml for settings that fewer versions
know. A server of our own has them in its profile; to one that runs already they are sent with each statement,
over the native protocol and over HTTP.
"""

from __future__ import annotations

from xml.etree import ElementTree

from helpers.base.paths import CONFIGS

PROFILE = "server_profile.xml"
PROFILES = (PROFILE, "server_profile_later.xml")


def baseline() -> dict[str, str]:
    """The settings by name."""
    return {
        setting.tag: (setting.text or "").strip()
        for name in PROFILES
        for setting in ElementTree.parse(CONFIGS / name).iterfind("profiles/default/*")
    }
