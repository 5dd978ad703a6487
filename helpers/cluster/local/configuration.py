"""A node's configuration files, made from the templates in configs/ and what a scenario adds.

ClickHouse itself merges `config.d` and `users.d` over the main files; a fragment is one file there.
A fragment is named (a template in configs/fragments/) or given as XML text. A template that needs more
than the node itself says so in its first comment, in a line `needs: object store`; one that a server of
somebody else may lack says `optional`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from helpers.base.errors import UsageError, nearest
from helpers.base.files import write_private
from helpers.base.paths import CONFIGS
from helpers.cluster.baseline import PROFILES, chosen
from helpers.cluster.node import User

FRAGMENTS = CONFIGS / "fragments"
NEEDS = re.compile(r"^(?:<!--)?\s*needs: *(.+?)\s*$", re.MULTILINE)
OPTIONAL = re.compile(r"^\s*optional\b", re.MULTILINE)
OBJECT_STORE = "object store"
COORDINATION = "coordination"
KNOWN_NEEDS = (OBJECT_STORE, COORDINATION)


@dataclass(frozen=True)
class NodeConfig:
    """What a node is started with beyond the defaults; equal configurations need no restart."""

    fragments: tuple[str, ...] = ()
    config: tuple[tuple[str, str], ...] = ()
    users: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls,
        fragments: tuple[str, ...] = (),
        config: Mapping[str, str] | None = None,
        users: Mapping[str, str] | None = None,
    ) -> NodeConfig:
        return cls(
            tuple(sorted(set(fragments))),
            tuple(sorted((config or {}).items())),
            tuple(sorted((users or {}).items())),
        )


def check(config: NodeConfig) -> None:
    """Raise if no server could start with this configuration, before one is stopped for it."""
    for fragment in config.fragments:
        _fragment(fragment)
    for kind, files in _overrides(config):
        for name, text in files:
            _check_well_formed(f"{kind}/{name}", text)


@dataclass(frozen=True)
class Templates:
    """The files in configs/ that are merged over node.xml and over users.xml."""

    over_config: tuple[str, ...]
    over_users: tuple[str, ...]


OF_WHEEL = Templates((), ("wheel.xml", *PROFILES))


def write(
    folder: Path, config: NodeConfig, values: Mapping[str, str], templates: Templates
) -> None:
    """Write all files that a node in this folder starts with."""
    escaped = {name: escape(value) for name, value in values.items()}
    for name in ("config.d", "users.d", "tmp", "user_files", "format_schemas"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for stale in [*(folder / "config.d").iterdir(), *(folder / "users.d").iterdir()]:
        stale.unlink()
    write_private(folder / "config.xml", _filled(CONFIGS / "node.xml", escaped))
    write_private(folder / "users.xml", _filled(CONFIGS / "users.xml", escaped))
    for kind, names in (("config.d", templates.over_config), ("users.d", templates.over_users)):
        for name in names:
            # First: what a scenario adds has the last word.
            write_private(folder / kind / f"0-{name}", _filled(CONFIGS / name, escaped))
    if text := chosen():
        write_private(folder / "users.d" / "1-settings.xml", text)
    for fragment in config.fragments:
        write_private(
            folder / "config.d" / f"{fragment}.xml", _filled(_fragment(fragment), escaped)
        )
    for kind, files in _overrides(config):
        for name, text in files:
            write_private(folder / kind / f"{name}.xml", text)


def needs(config: NodeConfig) -> set[str]:
    """What the fragments of a configuration say they need beside the node."""
    declared = set()
    for fragment in config.fragments:
        file = _fragment(fragment)
        for need in NEEDS.findall(file.read_text().partition("-->")[0]):
            if need not in KNOWN_NEEDS:
                raise UsageError(
                    f"configs/fragments/{file.name} needs {need!r}, which no environment gives."
                    + nearest(need, KNOWN_NEEDS)
                )
            declared.add(need)
    return declared


def is_optional(fragment: str) -> bool:
    """Whether the fragment says that a server without it is only slower."""
    return OPTIONAL.search(_fragment(fragment).read_text().partition("-->")[0]) is not None


def named_collections(collections: Mapping[str, Mapping[str, str]]) -> str:
    """Named collections as a text that ClickHouse merges over its configuration."""
    entries = "".join(
        f"<{name}>{''.join(f'<{key}>{escape(value)}</{key}>' for key, value in pairs.items())}</{name}>"
        for name, pairs in collections.items()
    )
    return f"<clickhouse><named_collections>{entries}</named_collections></clickhouse>"


def known_fragments() -> list[str]:
    return sorted(file.stem for file in FRAGMENTS.glob("*.xml"))


def _overrides(config: NodeConfig) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    return (("config.d", config.config), ("users.d", config.users))


def _fragment(name: str) -> Path:
    file = FRAGMENTS / f"{name}.xml"
    if not file.is_file():
        raise UsageError(
            f"There is no configuration fragment {name!r} in configs/fragments."
            + nearest(name, known_fragments())
            + f" There are {', '.join(known_fragments())}."
        )
    return file


def _filled(template: Path, values: Mapping[str, str]) -> str:
    try:
        return string.Template(template.read_text()).substitute(values)
    except KeyError as error:
        raise UsageError(
            f"configs/{template.relative_to(CONFIGS)} asks for ${{{error.args[0]}}}, which this node "
            "has no value for (an object store that was not started?)."
        ) from None


def _check_well_formed(name: str, text: str) -> None:
    try:
        ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise UsageError(f"The configuration override {name} is not XML: {error}") from None


def user_xml(user: User, password: str, clients: str) -> str:
    """A user as ClickHouse reads it; without a grant it gets one that is taken away again, because
    a user without a list of grants may do everything."""
    grants = user.grants or ("USAGE ON *.*",)
    queries = "".join(f"<query>GRANT {escape(grant)}</query>" for grant in grants)
    return (
        f"<clickhouse><users><{user.name}><password>{escape(password)}</password>"
        f"<networks><ip>{clients}</ip></networks><profile>default</profile><quota>default</quota>"
        f"<grants>{queries}</grants></{user.name}></users></clickhouse>"
    )
