"""A throw-away certificate authority and a certificate for servers on loopback."""

from __future__ import annotations

from pathlib import Path

SERVER = "server.pem"
KEY = "server.key"
AUTHORITY = "authority.pem"


def write(folder: Path) -> Path:
    """Write a key and a certificate for 127.0.0.1 and localhost; returns the authority to trust."""
    import trustme  # here, because it loads a crypto library that plain runs need not wait for

    authority = trustme.CA()
    server = authority.issue_cert("127.0.0.1", "localhost")
    (folder / KEY).touch(mode=0o600)
    server.private_key_pem.write_to_path(str(folder / KEY))
    server.cert_chain_pems[0].write_to_path(str(folder / SERVER))
    authority.cert_pem.write_to_path(str(folder / AUTHORITY))
    return folder / AUTHORITY
