"""The network of a docker cluster: addresses that containers keep, and cutting one off from others."""

from __future__ import annotations

import ipaddress
import itertools
from collections.abc import Sequence

import docker
import docker.types
from docker.errors import APIError
from docker.models.networks import Network

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.docker import recipes as docker_recipes
from helpers.cluster.docker.container import Container
from helpers.cluster.docker.engine import explained

FIRST_HOST = 10
ATTEMPTS = 5


class ClusterNetwork:
    """A bridge of its own: other clusters cannot reach its containers, nor can other machines."""

    def __init__(self, client: docker.DockerClient, name: str, labels: dict[str, str]) -> None:
        self._client = client
        self._labels = labels
        with explained("The network of the cluster cannot be created"):
            self.network = self._create(name)
        (pool,) = self.network.attrs["IPAM"]["Config"]
        self.gateway = str(pool["Gateway"])  # where containers reach this machine
        self._subnet = ipaddress.ip_network(pool["Subnet"])
        self._hosts = itertools.count(FIRST_HOST)

    def next_address(self) -> str:
        number = next(self._hosts)
        if number > self._subnet.num_addresses - 2:  # the last one is for broadcasts
            raise EnvironmentFailed(
                f"The network of the cluster ({self._subnet}) has no address left for another "
                "container: give the Docker engine larger default-address-pools."
            )
        return str(self._subnet[number])

    def cut(self, container: Container, addresses: Sequence[str]) -> None:
        """Drop everything between a container and these addresses.

        The rules are those of the container's own network and go with it when it restarts.
        """
        rules = [
            f"iptables -A {chain} {side} {address} -j DROP"
            for address in addresses
            for chain, side in (("INPUT", "-s"), ("OUTPUT", "-d"))
        ]
        self._execute(container, " && ".join(rules))

    def heal(self, container: Container) -> None:
        """Remove the rules of `cut`."""
        if container.alive:
            self._execute(container, "iptables -F")

    def _create(self, name: str) -> Network:
        """With a subnet that is configured, though the engine chose it: only there can containers have
        addresses of their own, which they keep when they restart."""
        attempt = 0
        while True:
            attempt += 1
            chosen = self._client.networks.create(name, driver="bridge", labels=self._labels)
            chosen.reload()
            (given,) = chosen.attrs["IPAM"]["Config"]
            chosen.remove()
            pool = docker.types.IPAMPool(subnet=given["Subnet"], gateway=given["Gateway"])
            try:
                made = self._client.networks.create(
                    name,
                    driver="bridge",
                    labels=self._labels,
                    ipam=docker.types.IPAMConfig(pool_configs=[pool]),
                )
            except APIError as error:  # another network was given this subnet meanwhile
                if attempt == ATTEMPTS or "overlaps" not in str(error):
                    raise
                continue
            made.reload()
            return made

    def _execute(self, container: Container, script: str) -> None:
        """Run a script with the right to change the network, in the network of a container."""
        with explained(f"The network of {container.name} cannot be changed"):
            self._client.containers.run(
                docker_recipes.find("nettools").reference,
                ["sh", "-c", script],
                network_mode=f"container:{container.container.id}",
                cap_add=["NET_ADMIN"],
                labels=self._labels,
                remove=True,
            )
