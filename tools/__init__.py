"""Generators: programs that write files of this repository. None of them is a test or part of the wheel.

protocol_page  the generated blocks of PROTOCOL.md and docs/protocol/, and the test vectors: `make protocol`
"""
