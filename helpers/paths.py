"""Where the project's own folders are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCENARIOS = ROOT / "scenarios"
CONFIGS = ROOT / "configs"
ENGINES = ROOT / ".engines"
RESULTS = ROOT / "results"
