#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Streams of events by sse-starlette, on two servers: hypercorn with HTTP/2 and HTTP/1.1 over TLS, and uvicorn with
HTTP/1.1.

Usage: event_server.py REPORT. Listens on two ports of the loopback interface that the system chooses, with `good.pem`
of the current folder, and writes the ports to the file REPORT, that of hypercorn first.
"""

import asyncio
import contextlib
import functools
import json
import os
import socket
import sys
from collections import defaultdict

import hypercorn.asyncio
import hypercorn.config
import hypercorn.protocol.h2
import priority
import uvicorn
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

# What the tests have released so far, and which streams have ended: by ?gate=.
gates = defaultdict(lambda: asyncio.Semaphore(0))
waking = defaultdict(asyncio.Event)
ended = set()


async def numbered(count, gate):
    """Numbered events; each but the first waits for one release of the gate, if there is a gate."""
    try:
        for number in range(count):
            if gate and number:
                await gates[gate].acquire()
            yield {"id": str(number), "event": "tick", "data": f"{number} ä€😀\n{'x' * (number % 100)}"}
    finally:
        ended.add(gate)


async def events(request):
    """?count= events with the line break ?sep=, and a comment every ?ping= seconds."""
    query = request.query_params
    return EventSourceResponse(
        numbered(int(query["count"]), query.get("gate")),
        sep={"lf": "\n", "cr": "\r"}.get(query.get("sep"), "\r\n"),
        ping=float(query.get("ping", "0")),
    )


async def release(request):
    gates[request.query_params["gate"]].release()
    return Response()


async def has_ended(request):
    """Tells whether the stream with this ?gate= has ended at the server."""
    return JSONResponse(request.query_params["gate"] in ended)


async def answers(request):
    """Sends the words of a question back, one after the other, as a language model does."""
    question = await request.json()

    async def deltas():
        for word in question["text"].split():
            yield {"data": json.dumps({"text": word})}
        yield {"data": "[DONE]"}

    return EventSourceResponse(deltas(), ping=0, sep="\n")


async def idle(request):
    """An event, then silence until a request for /wake with the same ?gate=, then another event."""
    gate = request.query_params["gate"]

    async def two():
        yield b"data: open\n\n"
        await waking[gate].wait()
        yield b"data: awake\n\n"

    return StreamingResponse(two(), media_type="text/event-stream")


async def wake(request):
    waking[request.query_params["gate"]].set()
    return Response()


application = Starlette(
    routes=[
        Route("/events", events),
        Route("/release", release),
        Route("/ended", has_ended),
        Route("/answers", answers, methods=["POST"]),
        Route("/idle", idle),
        Route("/wake", wake),
    ]
)


# MARK: Servers


class Uvicorn(uvicorn.Server):
    """Leaves the signals alone, so that SIGTERM ends the process at once."""

    def capture_signals(self):
        return contextlib.nullcontext()


def listen():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    return listener


async def main():
    listeners = [listen(), listen()]
    config = hypercorn.config.Config()
    config.bind = [f"fd://{listeners[0].fileno()}"]
    config.certfile, config.keyfile = "good.pem", "good.key"
    config.keep_alive_timeout = 3600
    config.keep_alive_max_requests = 1 << 30
    config.h2_max_concurrent_streams = 1000
    # With the default, hypercorn ends the connection at the thousandth stream.
    hypercorn.protocol.h2.priority.PriorityTree = functools.partial(priority.PriorityTree, maximum_streams=10_000)
    secure = hypercorn.asyncio.serve(application, config, shutdown_trigger=asyncio.Event().wait)
    plain = Uvicorn(uvicorn.Config(application, lifespan="off", log_level="warning", timeout_keep_alive=3600))
    serving = asyncio.gather(secure, plain.serve(sockets=listeners[1:]))
    with open(sys.argv[1] + ".new", "w") as file:
        file.writelines(f"{listener.getsockname()[1]}\n" for listener in listeners)
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    await serving


asyncio.run(main())
