"""Writes the generated blocks of PROTOCOL.md and docs/protocol/, and the test vectors: `make protocol`.

page           the pages as data: sections, tables, fenced and generated blocks
blocks         the body of each generated block
transcripts    what is done in each transcript; stage plays it on a real server, brief prints it
examples       one message of each kind; tournament_examples has those about tournaments; pretty prints them
vectors        the test vectors in protocol/vectors/
kinds, raised  types of fields and facts of errors, read from the code: tests compare them with the page
"""
