#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command ten times, one after the other, beside 20 servers that answer each request after 8 seconds.

    Benchmarks/scripts/late_servers.py COMMAND…    adds the ports of the servers to the command

The command may have 1,024 descriptors. Fails if it does not end with 0.
"""

import asyncio
import resource
import sys

PROCESSES, SERVERS, SECONDS, DESCRIPTORS = 10, 20, 8, 1024


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.readuntil(b"\r\n\r\n"):
            await asyncio.sleep(SECONDS)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate")
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass  # the client has closed the connection
    finally:
        writer.close()


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))


async def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 64
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    servers = [await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1024) for _ in range(SERVERS)]
    ports = [str(server.sockets[0].getsockname()[1]) for server in servers]
    for number in range(1, PROCESSES + 1):
        process = await asyncio.create_subprocess_exec(*sys.argv[1:], *ports, preexec_fn=limit)
        if status := await process.wait():
            print(f"error: process {number} of {PROCESSES} ended with {status}", file=sys.stderr)
            return 1
    return 0


sys.exit(asyncio.run(main()))
