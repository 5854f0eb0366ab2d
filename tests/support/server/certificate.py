"""A certificate that a server made for itself, good for 127.0.0.1."""

import subprocess
from pathlib import Path


def certificate(folder: Path) -> tuple[str, str]:
    """The paths of a new certificate and of its key."""
    cert, key = str(folder / "cert.pem"), str(folder / "key.pem")
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    subject = ["-subj", "/CN=parlour", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    subprocess.run([*made, *subject, "-keyout", key, "-out", cert], check=True, capture_output=True)
    return cert, key
