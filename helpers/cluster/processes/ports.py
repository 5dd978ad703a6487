"""Free loopback ports that no other regression on this machine will take.

A port is reserved by binding an abstract Unix socket that carries its number: the kernel lets only
one process have it, releases it when that process ends however it ends, and leaves no file behind.
"""

from __future__ import annotations

import itertools
import os
import random
import socket

from helpers.base.errors import EnvironmentFailed

LOOPBACK = "127.0.0.1"
# Below the range that the kernel hands out to outgoing connections (from 32768).
FIRST, LAST = 20000, 32000


class ReservedPort:
    """A port number that stays ours until `release` or the end of this process."""

    def __init__(self, number: int, lock: socket.socket) -> None:
        self.number = number
        self._lock = lock

    def release(self) -> None:
        self._lock.close()


def reserve(number: int) -> ReservedPort | None:
    """The port with this number, or None where somebody else has it."""
    lock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        lock.bind(f"\0clickhouse-partition-regression-port-{number}")
    except OSError:
        lock.close()
        return None
    if is_taken(number):
        lock.close()
        return None
    return ReservedPort(number, lock)


def is_taken(number: int) -> bool:
    """Whether some program, ours or not, has this port on loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, number))
        except OSError:
            return True
    return False


def reserve_free(count: int) -> list[ReservedPort]:
    """Reserve this many free ports. The search starts at random, so that two searches rarely collide."""
    start = random.SystemRandom().randrange(LAST - FIRST)
    numbers = itertools.islice(itertools.cycle(range(FIRST, LAST)), start, start + LAST - FIRST)
    reserved: list[ReservedPort] = []
    for number in numbers:
        if len(reserved) == count:
            break
        port = reserve(number)
        if port is not None:
            reserved.append(port)
    if len(reserved) < count:
        for port in reserved:
            port.release()
        raise EnvironmentFailed(
            f"Only {len(reserved)} of {count} ports are free between {FIRST} and {LAST} on {LOOPBACK}; "
            f"see what listens there (ss -ltn) and end it. (process {os.getpid()})"
        )
    return reserved
