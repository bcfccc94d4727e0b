#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An ASGI application on hypercorn: HTTP/2 and HTTP/1.1 over TLS, and WebSockets over both.

Usage: hypercorn_server.py REPORT. Listens on a port of the loopback interface that the system chooses, with `good.pem`
of the current folder, and writes the port to the file REPORT. The large file is `files/large`.
"""

import asyncio
import os
import socket
import sys
from collections import defaultdict
from urllib.parse import parse_qs

from hypercorn.asyncio import serve
from hypercorn.config import Config

gates = defaultdict(asyncio.Event)


def query(scope):
    return {name: values[0] for name, values in parse_qs(scope["query_string"].decode()).items()}


async def messages(receive):
    """The pieces of a request's body."""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return
        yield message.get("body", b"")
        if not message.get("more_body"):
            return


# MARK: Calls


async def answer(send, body, status=200, trailers=()):
    fields = [(b"content-type", b"application/octet-stream")]
    if not trailers:
        fields.append((b"content-length", str(len(body)).encode()))
    head = {"type": "http.response.start", "status": status, "headers": fields, "trailers": bool(trailers)}
    await send(head)
    await send({"type": "http.response.body", "body": body})
    if trailers:
        await send({"type": "http.response.trailers", "headers": list(trailers)})


async def upload(scope, receive, send):
    """Sends the body back while it arrives."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    async for piece in messages(receive):
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def hold(scope, receive, send):
    """Sends a body whose end waits for a request for /release with the same ?gate=."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"held, ", "more_body": True})
    await gates[query(scope)["gate"]].wait()
    await send({"type": "http.response.body", "body": b"released"})


async def release(scope, receive, send):
    gates[query(scope)["gate"]].set()
    await answer(send, b"")


async def http(scope, receive, send):
    path = scope["path"]
    if path == "/upload":
        await upload(scope, receive, send)
    elif path == "/hold":
        await hold(scope, receive, send)
    elif path == "/release":
        await release(scope, receive, send)
    elif path == "/trailers":
        await answer(send, b"hello\n", trailers=[(b"tern-trailer", b"flies")])
    else:
        with open("files" + path, "rb") as file:
            await answer(send, file.read())


# MARK: WebSockets


async def websocket(scope, receive, send):
    values = query(scope)
    await receive()  # websocket.connect
    if scope["path"] == "/status":
        await send({"type": "websocket.http.response.start", "status": int(values["status"]), "headers": []})
        await send({"type": "websocket.http.response.body", "body": b"no WebSocket here"})
        return
    known = values.get("protocols", "").split(",")
    chosen = next((name for name in scope["subprotocols"] if name in known), None)
    await send({"type": "websocket.accept", "subprotocol": chosen})
    if scope["path"] == "/close":
        code, reason = int(values.get("code", "1000")), values.get("reason", "")
        await send({"type": "websocket.close", "code": code, "reason": reason})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "bytes": message.get("bytes"), "text": message.get("text")})


async def application(scope, receive, send):
    if scope["type"] == "http":
        await http(scope, receive, send)
    elif scope["type"] == "websocket":
        await websocket(scope, receive, send)
    else:
        raise NotImplementedError(scope["type"])  # the server goes on without `lifespan`


async def main():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    config = Config()
    config.bind = [f"fd://{listener.fileno()}"]
    config.certfile, config.keyfile = "good.pem", "good.key"
    config.keep_alive_timeout = 3600
    config.keep_alive_max_requests = 1 << 30
    config.websocket_max_message_size = 1 << 26
    serving = asyncio.create_task(serve(application, config, shutdown_trigger=asyncio.Event().wait))
    with open(sys.argv[1] + ".new", "w") as file:
        file.write(f"{listener.getsockname()[1]}\n")
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    await serving


asyncio.run(main())
