#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Delays all bytes between a client and a server, as a long line does, but limits no bandwidth.

Usage: delay_relay.py REPORT PORT MILLISECONDS. Listens on a port of the loopback interface that the system chooses,
writes it to the file REPORT, and passes each connection on to PORT of the loopback interface, with the delay each way.
"""

import asyncio
import os
import sys


async def take(reader, queue, delay):
    """Reads everything at once, as a line of any length holds what is on its way."""
    now = asyncio.get_running_loop().time
    try:
        while content := await reader.read(1 << 20):
            queue.put_nowait((now() + delay, content))
    except OSError:
        pass
    queue.put_nowait((now() + delay, b""))


async def give(writer, queue):
    now = asyncio.get_running_loop().time
    while True:
        due, content = await queue.get()
        if (rest := due - now()) > 0:
            await asyncio.sleep(rest)
        if not content:
            return writer.write_eof()
        writer.write(content)
        await writer.drain()


async def relay(client, port, delay):
    server = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    there, back = asyncio.Queue(), asyncio.Queue()
    ways = [(client[0], server[1], there), (server[0], client[1], back)]
    try:
        await asyncio.gather(*(work for way in ways for work in (take(way[0], way[2], delay), give(way[1], way[2]))))
    except OSError:
        pass
    finally:
        for _, writer in (client, server):
            writer.close()


async def main():
    report, port, milliseconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])

    async def accept(reader, writer):
        await relay((reader, writer), port, milliseconds / 1000)

    server = await asyncio.start_server(accept, "127.0.0.1", 0, limit=1 << 20)
    with open(report + ".new", "w") as file:
        file.write(f"{server.sockets[0].getsockname()[1]}\n")
    os.rename(report + ".new", report)
    await server.serve_forever()


asyncio.run(main())
