"""The program of one embedded node: `server.py ENGINE_FOLDER [DATA]`, run in the folder of its configuration.

It loads the ClickHouse engine out of its wheel (the extension alone: the package around it would
start and stop a throw-away server first), opens the listeners that config.xml names, and stays until
it is told to stop. Standard library only, so that it starts in a moment.

The engine ends when its main query ends. So the main query sleeps for ever, and SIGTERM or SIGINT
kill it over HTTP as the administrator: the server then shuts down in order, as after SYSTEM SHUTDOWN.
"""

import base64
import contextlib
import ctypes
import http.client
import importlib.util
import os
import signal
import sys
import threading
from pathlib import Path

# The in-process session is the user 'default', which may do nothing else (configs/wheel.xml).
STAY = (
    "SYSTEM START LISTEN TCP; SYSTEM START LISTEN HTTP; "
    "SELECT sleepEachRow(0.1) FROM system.numbers FORMAT Null"
)
END = "KILL QUERY WHERE user = '' AND query LIKE 'SELECT sleepEachRow(0.1) FROM system.numbers%' ASYNC"


def load_engine(folder: Path) -> "object":
    """The engine's extension module, without importing the package it lies in."""
    library = folder / "_chdb.abi3.so"
    here = Path.cwd()
    # It looks for its companions in the current folder.
    os.chdir(folder)
    try:
        ctypes.CDLL(str(library), os.RTLD_DEEPBIND | os.RTLD_NOW | os.RTLD_GLOBAL)
        spec = importlib.util.spec_from_file_location("_chdb", library)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        os.chdir(here)
    return module


def end(port: int, user: str, password: str) -> None:
    """Ask the server to end its main query."""
    token = base64.b64encode(f"{user}:{password}".encode()).decode()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    with contextlib.suppress(OSError, http.client.HTTPException):
        connection.request("POST", "/", body=END, headers={"Authorization": f"Basic {token}"})
        connection.getresponse().read()
    connection.close()


def main(engine_folder: Path, data: Path) -> None:
    # Told by the environment and not by the command line, which every user of the machine can read.
    port = int(os.environ.pop("NODE_HTTP_PORT"))
    user = os.environ.pop("NODE_USER")
    password = os.environ.pop("NODE_PASSWORD")
    try:
        engine = load_engine(engine_folder)
    except (OSError, ImportError) as error:
        sys.exit(f"The engine in {engine_folder} does not load: {error}")

    def serve() -> None:
        # The format becomes the server's default one; some clients cannot connect to a CSV server.
        engine.query(STAY, "TabSeparated", path=str(data.absolute()))  # type: ignore[attr-defined]

    server = threading.Thread(target=serve, daemon=True)
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    server.start()
    while server.is_alive():
        if stopping.wait(0.1):
            stopping.clear()
            end(port, user, password)
        server.join(0.05)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else "data"))
