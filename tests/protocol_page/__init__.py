"""What writes the generated parts of PROTOCOL.md and the test vectors: `make protocol`."""
