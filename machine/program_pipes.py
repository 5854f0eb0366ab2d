"""The pipes of a program: what it writes is read as streams are, what it reads is written without a wait."""

import asyncio


class ProgramOutput:
    """What a program writes into one pipe. At most twice the limit waits here; the rest waits in the pipe."""

    def __init__(self, transport: asyncio.ReadTransport, limit: int) -> None:
        self._transport = transport
        self._limit = limit
        self._unread = bytearray()
        self._ended = self._paused = False
        self._news = asyncio.Event()

    def feed(self, data: bytes) -> None:
        self._unread += data
        self._news.set()
        if len(self._unread) > 2 * self._limit and not self._paused:
            self._paused = True
            self._transport.pause_reading()

    def end(self) -> None:
        self._ended = True
        self._news.set()

    async def read(self, most: int) -> bytes:
        """What there is, as soon as there is something; nothing at the end."""
        while not (self._unread or self._ended):
            await self._wait()
        return self._take(most)

    async def readline(self) -> bytes:
        """A line with its end, or what is left in the end; raises ValueError if it is too long."""
        searched = 0
        while (end := self._unread.find(b"\n", searched)) < 0 and not self._ended:
            searched = len(self._unread)
            if searched > self._limit:
                break
            await self._wait()
        if max(end, searched) > self._limit:
            self._take(len(self._unread) if end < 0 else end + 1)
            raise ValueError("the line is too long")
        return self._take(len(self._unread) if end < 0 else end + 1)

    async def _wait(self) -> None:
        self._news.clear()
        await self._news.wait()

    def _take(self, most: int) -> bytes:
        taken = bytes(self._unread[:most])
        del self._unread[:most]
        if self._paused and len(self._unread) <= self._limit and not self._ended:
            self._paused = False
            self._transport.resume_reading()
        return taken


class ProgramInput:
    """The pipe from which a program reads."""

    def __init__(self, transport: asyncio.WriteTransport) -> None:
        self._transport = transport
        self._lost = False
        self._writable = asyncio.Event()
        self._writable.set()

    def write(self, data: bytes) -> None:
        self._transport.write(data)

    async def drain(self) -> None:
        """Waits until the program has read most of it; raises BrokenPipeError if it never will."""
        await self._writable.wait()
        if self._lost:
            raise BrokenPipeError("the program reads no more")

    def close(self) -> None:
        self._transport.close()

    def hold(self) -> None:
        self._writable.clear()

    def let_go(self) -> None:
        self._writable.set()

    def lose(self) -> None:
        self._lost = True
        self._writable.set()


class ProgramPipes(asyncio.SubprocessProtocol):
    """All pipes of one program, and whether it has ended, whoever else holds them."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.exited = asyncio.Event()
        self.stdin: ProgramInput | None = None
        self.stdout: ProgramOutput | None = None
        self.stderr: ProgramOutput | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        stdin, stdout, stderr = (transport.get_pipe_transport(number) for number in range(3))
        self.stdin = ProgramInput(stdin) if isinstance(stdin, asyncio.WriteTransport) else None
        self.stdout = (
            ProgramOutput(stdout, self._limit) if isinstance(stdout, asyncio.ReadTransport) else None
        )
        self.stderr = (
            ProgramOutput(stderr, self._limit) if isinstance(stderr, asyncio.ReadTransport) else None
        )

    def _output(self, fd: int) -> ProgramOutput | None:
        return {1: self.stdout, 2: self.stderr}.get(fd)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        output = self._output(fd)
        if output is not None and isinstance(data, bytes):
            output.feed(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        output = self._output(fd)
        if output is not None:
            output.end()
        elif fd == 0 and self.stdin is not None:
            self.stdin.lose()

    def pause_writing(self) -> None:
        if self.stdin is not None:
            self.stdin.hold()

    def resume_writing(self) -> None:
        if self.stdin is not None:
            self.stdin.let_go()

    def process_exited(self) -> None:
        self.exited.set()
