#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The WebSocket server of Python's `aiohttp`: echoes, closes, and refuses as a web framework does.

Usage: aiohttp_server.py REPORT. Listens on a port of the loopback interface that the system chooses, and writes it to the
file REPORT.
"""

import asyncio
import os
import sys

from aiohttp import WSMsgType, web


async def echo(request):
    protocols = tuple(filter(None, request.query.get("protocols", "").split(",")))
    server = web.WebSocketResponse(protocols=protocols, max_msg_size=1 << 26)
    await server.prepare(request)
    async for message in server:
        if message.type == WSMsgType.TEXT:
            if message.data == "close, please":
                await server.close(code=4001, message="as you wish".encode())
            else:
                await server.send_str(message.data)
        elif message.type == WSMsgType.BINARY:
            await server.send_bytes(message.data)
    return server


async def private(request):
    if request.headers.get("Authorization") != "Bearer open sesame":
        raise web.HTTPUnauthorized(headers={"WWW-Authenticate": "Bearer"}, text="who are you?")
    return await echo(request)


async def moved(request):
    raise web.HTTPFound("/echo")


async def page(request):
    return web.Response(text="just a page")


async def main():
    application = web.Application()
    for path, handler in {"/echo": echo, "/private": private, "/moved": moved, "/page": page}.items():
        application.router.add_get(path, handler)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    with open(sys.argv[1] + ".new", "w") as file:
        file.write(f"{runner.addresses[0][1]}\n")
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    await asyncio.Event().wait()


asyncio.run(main())
