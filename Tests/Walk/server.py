# SPDX-License-Identifier: Apache-2.0
"""The server of scripts/walk: HTTP/1.1, HTTP/2 and a WebSocket on one port, without TLS.

Usage: server.py. Listens on a port of the loopback interface that the system chooses, and prints it.
"""

import asyncio
import socket

from hypercorn.asyncio import serve
from hypercorn.config import Config

FILE = bytes(1 << 20)


async def http(scope, receive, send):
    while (await receive()).get("more_body"):
        pass
    content = FILE if scope["path"] == "/file" else b"hello\n"
    fields = [(b"content-length", str(len(content)).encode()), (b"etag", b'"1"'), (b"accept-ranges", b"bytes")]
    await send({"type": "http.response.start", "status": 200, "headers": fields})
    await send({"type": "http.response.body", "body": content})


async def websocket(receive, send):
    """Answers each message, but so late that the client waits for the answer already."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] == "websocket.receive":
        await asyncio.sleep(0.05)
        await send({"type": "websocket.send", "text": "hello"})


async def application(scope, receive, send):
    if scope["type"] == "http":
        await http(scope, receive, send)
    elif scope["type"] == "websocket":
        await websocket(receive, send)
    else:
        raise NotImplementedError(scope["type"])  # the server goes on without `lifespan`


async def main():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    config = Config()
    config.bind = [f"fd://{listener.fileno()}"]
    config.keep_alive_timeout = 3600
    config.keep_alive_max_requests = 1 << 30
    config.errorlog = None
    print(listener.getsockname()[1], flush=True)
    await serve(application, config, shutdown_trigger=asyncio.Event().wait)


asyncio.run(main())
