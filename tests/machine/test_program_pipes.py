"""The pipes of a program: lines and chunks as they come, and no more held than is read."""

import asyncio
import sys

import pytest

from parlour.machine.process_group import GroupLeader, start_group
from parlour.machine.program_pipes import ProgramInput

LIMIT = 100


async def started(code: str) -> GroupLeader:
    return await start_group(sys.executable, "-c", code, limit=LIMIT)


async def lines(program: GroupLeader) -> list[bytes]:
    assert program.stdout is not None
    found = []
    while line := await program.stdout.readline():
        found.append(line)
    return found


async def test_lines_come_one_by_one_and_the_last_one_needs_no_end() -> None:
    program = await started("print('a'); print('b' * 99); print('c', end='')")
    assert await lines(program) == [b"a\n", b"b" * 99 + b"\n", b"c"]
    await program.wait()
    assert program.returncode == 0
    await program.let_go()


@pytest.mark.parametrize("end", ["\\n", ""])
async def test_a_line_that_is_too_long_is_told_and_passed_over(end: str) -> None:
    program = await started(f"print('x' * 10000, end='{end}'); print('next')")
    assert program.stdout is not None
    with pytest.raises(ValueError, match="too long"):
        await program.stdout.readline()
    program.kill_group()
    await program.let_go()


async def test_a_program_that_writes_more_than_is_read_waits() -> None:
    program = await started("import sys; print('x' * 5_000_000, flush=True); print('done', file=sys.stderr)")
    assert program.stdout is not None and program.stderr is not None
    told = asyncio.create_task(program.stderr.readline())
    size, before = 0, False
    while chunk := await program.stdout.read(1000):
        before = before or (told.done() and size < 4_000_000)
        size += len(chunk)
    assert size == 5_000_001 and await told == b"done\n" and not before
    await program.wait()
    await program.let_go()


async def write_on(stdin: ProgramInput) -> None:
    while True:
        stdin.write(b"x" * 100_000)
        await stdin.drain()
        await asyncio.sleep(0)  # that it has ended is heard of in another round


async def test_whoever_writes_to_a_program_that_has_ended_is_told() -> None:
    program = await started("pass")
    await program.wait()
    assert program.stdin is not None
    with pytest.raises(BrokenPipeError):
        await write_on(program.stdin)
    await program.let_go()
