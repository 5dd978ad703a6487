"""How long things take, and the table of times beside their bars; shared by benchmarks."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence

BY_FAR = 2.0


def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def print_times(times: Mapping[str, Sequence[float]], bars: Mapping[str, float]) -> bool:
    """Print median and best in seconds; returns whether a bar is missed by far."""
    print("| what | median | best | bar |")
    print("|---|---:|---:|---:|")
    missed = False
    for what, values in times.items():
        bar, median = bars.get(what), statistics.median(values)
        shown = f"≤ {bar:.0f} s" if bar else ""
        print(f"| {what} | {median:.2f} s | {min(values):.2f} s | {shown} |")
        missed = missed or (bar is not None and median > bar * BY_FAR)
    return missed
