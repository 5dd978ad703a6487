"""The clusters in docker-compose/ are valid for the Compose that is here, and keep their promises."""

from __future__ import annotations

import functools
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from helpers.base.errors import EnvironmentFailed
from helpers.base.paths import COMPOSE
from helpers.cluster.docker import compose

CLUSTERS = sorted(file.parent.name for file in COMPOSE.glob("*/docker-compose.yml"))
SECRETS = {"CLICKHOUSE_PASSWORD": "one", "S3_ACCESS_KEY": "two", "S3_SECRET_KEY": "three"}


@pytest.fixture(autouse=True)
def program() -> tuple[str, ...]:
    try:
        return compose.find_program()
    except EnvironmentFailed as failed:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(failed))


def resolve(
    program: tuple[str, ...], *files: Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    arguments = [argument for file in files for argument in ("-f", str(file))]
    inherited = {name: value for name, value in os.environ.items() if name not in SECRETS}
    return subprocess.run(
        [*program, *arguments, "config"],
        capture_output=True,
        text=True,
        env={**inherited, **variables},
    )


@functools.cache
def resolved(program: tuple[str, ...], cluster: str) -> dict[str, Any]:
    """Compose takes a second for each file: once is enough."""
    done = resolve(program, COMPOSE / cluster / "docker-compose.yml", **SECRETS)
    assert done.returncode == 0, done.stderr
    return dict(yaml.safe_load(done.stdout))


def test_every_cluster_is_there() -> None:
    assert CLUSTERS == ["clickhouse", "hdfs", "s3", "spark", "versions"]


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_services_keep_the_promises(program: tuple[str, ...], cluster: str) -> None:
    described = resolved(program, cluster)
    assert described["services"]
    for name, service in described["services"].items():
        assert service["healthcheck"]["test"], f"{name} has no health check"
        assert "no-new-privileges:true" in service["security_opt"], name
        forbidden = {"container_name", "ports", "privileged", "cap_add", "build", "network_mode"}
        assert not forbidden & set(service), name
        assert "org.regression.run" in service["labels"], name
        unknown = set(service) - {*compose.SAME, *compose.OWN}
        assert not unknown, f"{name}: --env docker does not know {unknown}"
    for kind in ("networks", "volumes"):
        for name, description in described.get(kind, {}).items():
            assert "org.regression.run" in description["labels"], f"{kind} {name}"


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_every_volume_of_an_image_is_named(program: tuple[str, ...], cluster: str) -> None:
    """Anonymous volumes have no label and stay behind."""
    for name, service in resolved(program, cluster)["services"].items():
        kind = next(
            kind
            for kind in ("clickhouse", "zookeeper", "seaweedfs", "spark", "hdfs")
            if kind in service["image"]
        )
        text = (COMPOSE / "images" / kind / "Dockerfile").read_text()
        declared = re.findall(r'"?(/\w[\w/]*)"?', "".join(re.findall(r"^VOLUME (.*)$", text, re.M)))
        mounted = {
            volume.split(":")[1] if isinstance(volume, str) else volume["target"]
            for volume in service.get("volumes", [])
        }
        assert set(declared) <= mounted, f"{name}: {declared} {mounted}"


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_images_are_chosen_by_variables(cluster: str) -> None:
    """Each with a plain default: 1.29 does not expand a default within a default."""
    text = (COMPOSE / cluster / "docker-compose.yml").read_text()
    images = re.findall(r"^\s*image: (.*)$", text, re.MULTILINE)
    assert images
    for image in images:
        assert re.fullmatch(r"\$\{\w+:-[\w./-]+:[\w.-]+\}", image), image


def test_an_image_of_a_variable_is_taken(program: tuple[str, ...]) -> None:
    file = COMPOSE / "versions" / "docker-compose.yml"
    done = resolve(program, file, **SECRETS, CLICKHOUSE_IMAGE_2="chosen:1")
    assert re.findall(r"image: (.*)", done.stdout).count("chosen:1") == 1, done.stderr


@pytest.mark.parametrize("cluster", ["clickhouse", "s3", "versions"])
def test_a_user_of_the_database_is_not_the_user_of_a_container(
    program: tuple[str, ...], cluster: str
) -> None:
    """docs/export.md has CLICKHOUSE_USER exported."""
    file = COMPOSE / cluster / "docker-compose.yml"

    def users(**variables: str) -> set[str]:
        done = resolve(program, file, **SECRETS, **variables)
        services = yaml.safe_load(done.stdout)["services"]
        return {service["user"] for name, service in services.items() if name.startswith("node")}

    assert users(CLICKHOUSE_USER="default") == {"101:101"}
    assert users(CONTAINER_USER="7:8") == {"7:8"}


@pytest.mark.parametrize(
    ("cluster", "missing"), [("clickhouse", "CLICKHOUSE_PASSWORD"), ("s3", "S3_SECRET_KEY")]
)
def test_secrets_come_from_variables(program: tuple[str, ...], cluster: str, missing: str) -> None:
    given = {name: value for name, value in SECRETS.items() if name != missing}
    done = resolve(program, COMPOSE / cluster / "docker-compose.yml", **given)
    assert done.returncode != 0
    assert f"set {missing.replace('SECRET', 'ACCESS')}" in done.stderr


def test_no_file_holds_a_password() -> None:
    files = [file for file in COMPOSE.rglob("*") if file.is_file()]
    assert files
    for file in files:
        given = re.findall(r"<(?:password|secret_access_key)>([^<]+)<", file.read_text())
        assert not given, f"{file}: {given}"


def test_secure_ports_are_laid_over(program: tuple[str, ...], tmp_path: Path) -> None:
    folder = COMPOSE / "clickhouse"
    files = (folder / "docker-compose.yml", folder / "secure.yml")
    done = resolve(program, *files, **SECRETS, CERTIFICATES=str(tmp_path))
    assert done.returncode == 0, done.stderr
    services = yaml.safe_load(done.stdout)["services"]
    secured = [name for name, service in services.items() if "secure.xml" in str(service)]
    assert secured == ["node1", "node2", "node3"]
    assert resolve(program, *files, **SECRETS).returncode != 0, "without a folder it is refused"


def test_an_unknown_key_is_told() -> None:
    with pytest.raises(EnvironmentFailed, match="does not know the key 'privileged'"):
        compose.container_options("clickhouse", {"image": "a:1", "privileged": True}, "p", {})


@pytest.mark.parametrize(
    ("text", "seconds"), [("1s", 1), ("1m30s", 90), ("500ms", 0.5), ("2h", 7200)]
)
def test_durations(text: str, seconds: float) -> None:
    options = compose.container_options(
        "clickhouse", {"image": "a:1", "healthcheck": {"interval": text, "retries": 3}}, "p", {}
    )
    assert options["healthcheck"] == {"interval": int(seconds * 10**9), "retries": 3}


def test_no_compose_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    compose.find_program.cache_clear()
    with pytest.raises(EnvironmentFailed, match=r"none is installed here\. Install the Compose"):
        compose.find_program()
    old = tmp_path / "docker-compose"
    old.write_text("#!/bin/sh\necho 1.25.0\n")
    old.chmod(0o755)
    with pytest.raises(EnvironmentFailed, match=r"or later: docker-compose is 1\.25\.0\. Install"):
        compose.find_program()
    monkeypatch.undo()
    compose.find_program.cache_clear()


def test_what_compose_said_is_kept_until_something_changes(
    program: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "small" / "docker-compose.yml"
    file.parent.mkdir()
    file.write_text("services: {one: {image: '${IMAGE:-first:1}'}}\n")
    monkeypatch.setattr(compose, "COMPOSE", tmp_path)
    monkeypatch.setattr(compose, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.delenv("IMAGE", raising=False)

    def image(**variables: str) -> str:
        compose.services.cache_clear()
        found: str = compose.services("small", tuple(variables.items()))["one"]["image"]
        return found

    assert image() == "first:1"
    with monkeypatch.context() as without:
        without.setattr(compose, "find_program", lambda: ("/nowhere",))
        assert image() == "first:1"
        with pytest.raises(OSError):
            image(IMAGE="second:1")
    assert image(IMAGE="second:1") == "second:1"
    file.write_text(file.read_text().replace("first", "third"))
    assert image() == "third:1"
    for kept in (tmp_path / "cache").iterdir():
        kept.write_text("{")
    assert image() == "third:1", "a damaged file is made anew"
