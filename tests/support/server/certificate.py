"""A certificate that a server made for itself, good for 127.0.0.1."""

import base64
import hashlib
import subprocess
from pathlib import Path


def certificate(folder: Path) -> tuple[str, str]:
    """The paths of a new certificate and of its key."""
    cert, key = str(folder / "cert.pem"), str(folder / "key.pem")
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    subject = ["-subj", "/CN=parlour", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    subprocess.run([*made, *subject, "-keyout", key, "-out", cert], check=True, capture_output=True)
    return cert, key


def sum_of_key(cert: str) -> str:
    """What names the public key of a certificate to a browser that is to trust it."""
    key = subprocess.run(
        ["openssl", "x509", "-in", cert, "-pubkey", "-noout"], check=True, capture_output=True
    )
    der = ["openssl", "pkey", "-pubin", "-outform", "der"]
    plain = subprocess.run(der, input=key.stdout, check=True, capture_output=True).stdout
    return base64.b64encode(hashlib.sha256(plain).digest()).decode()
