"""What every scenario of exports says about itself."""

from collections.abc import Callable

from helpers.cluster.capabilities import Capability
from helpers.marks import Marked, needs, time_limit


def exports(*capabilities: Capability, seconds: float = 300.0) -> Callable[[Marked], Marked]:
    """The scenario needs a store, Spark and these capabilities, and the time that Spark takes to start on
    a busy machine."""

    def mark(scenario: Marked) -> Marked:
        needed = needs(Capability.OBJECT_STORE, Capability.SPARK, *capabilities)
        return time_limit(seconds)(needed(scenario))

    return mark
