"""The program of an offline engine: `offline_program.py ENGINE_FOLDER DATA_FOLDER SCRIPT`.

It loads a ClickHouse out of its wheel, the extension alone, and has it execute a script on a data folder.
What the engine says of a refused statement goes to the standard output. Standard library only.
"""

import importlib.util
import os
import sys
from pathlib import Path


def main(engine: Path, data: Path, script: Path) -> None:
    (library,) = engine.glob("_chdb*.so")
    here = Path.cwd()
    os.chdir(engine)  # it looks for its companions in the current folder
    try:
        spec = importlib.util.spec_from_file_location("_chdb", library)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except (OSError, ImportError) as error:
        sys.exit(f"The engine in {engine} does not load: {error}")
    finally:
        os.chdir(here)
    try:
        # The format is that of INTO OUTFILE, too, in some versions.
        answer = module.query(script.read_text(), "TabSeparated", path=str(data))
    except RuntimeError as error:  # how some versions tell of a refusal; others print it
        sys.exit(str(error))
    if answer is not None and answer.has_error():
        sys.exit(answer.error_message())


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
