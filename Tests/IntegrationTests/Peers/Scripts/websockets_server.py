#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The server of Python's `websockets`: behaves as the path says, and reports at /report what it received.

Usage: websockets_server.py REPORT. Listens on two ports of the loopback interface that the system chooses, of which the
second speaks TLS with `good.pem` of the current folder, and at the path `socket`. Then it writes the ports to the file
REPORT, a line each. Paths take ?id=NAME, under which the report is kept; compression is negotiated as the query says.
"""

import asyncio
import json
import os
import socket
import ssl
import struct
import sys
from collections import defaultdict
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import serve, unix_serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.http11 import Response

reports = defaultdict(asyncio.Future)


def query(connection):
    return {name: values[0] for name, values in parse_qs(urlsplit(connection.request.path).query).items()}


def path(connection):
    return urlsplit(connection.request.path).path


# MARK: Before the WebSocket is open


def answer(status, text, *fields):
    body = text.encode()
    headers = Headers([("Content-Length", str(len(body))), ("Connection", "close"), *fields])
    return Response(status, "As asked for", headers, body)


def deflate(values):
    """The negotiated extension parameters, as the query names them."""
    if values.get("deflate") == "off":
        return []
    server, client = values.get("server-bits"), values.get("client-bits")
    return [
        ServerPerMessageDeflateFactory(
            server_no_context_takeover="server-forgets" in values,
            client_no_context_takeover="client-forgets" in values,
            server_max_window_bits=int(server) if server else None,
            client_max_window_bits=int(client) if client else None,
        )
    ]


async def process_request(connection, request):
    connection.request = request
    values = query(connection)
    if path(connection) == "/report":
        return answer(200, json.dumps(await asyncio.wait_for(asyncio.shield(reports[values["id"]]), 3600)))
    if path(connection) == "/status":
        fields = [("Location", "/echo"), ("WWW-Authenticate", 'Basic realm="birds"')]
        return answer(int(values["status"]), "no WebSocket here", *fields)
    if "closed" in values and request.headers.get("Authorization") != "Basic QWxiZXJ0Om9wZW4gc2VzYW1l":
        return answer(401, "not without a name", ("WWW-Authenticate", 'Basic realm="tern"'))
    if path(connection) == "/go":
        return answer(int(values.get("status", 302)), "elsewhere", ("Location", values["to"]))
    if path(connection) == "/cut":
        await cut(connection)
    if path(connection) == "/never":
        await asyncio.sleep(3600)
    connection.protocol.available_extensions = deflate(values)
    connection.protocol.available_subprotocols = values["protocols"].split(",") if "protocols" in values else None
    return None


async def cut(connection):
    """Sends a body that only the end of the connection delimits, and ends that below TLS, as an attacker would."""
    connection.transport.write(b"HTTP/1.1 200 OK\r\n\r\npart of the bo")
    below = socket.socket(fileno=os.dup(connection.transport.get_extra_info("socket").fileno()))
    below.shutdown(socket.SHUT_WR)
    below.close()
    await connection.wait_closed()


# MARK: Once it is open


async def echo(connection, values):
    async for message in connection:
        await connection.send(message)


async def count(connection, values):
    """Answers each message with the kind and the length of the message."""
    async for message in connection:
        kind = "text" if isinstance(message, str) else "binary"
        await connection.send(f"{kind} {len(message)}")


async def flood(connection, values):
    """Sends ?count= numbered messages of ?bytes= bytes each."""
    rest = "x" * int(values.get("bytes", "0"))
    for number in range(int(values["count"])):
        await connection.send(f"{number} {rest}")


async def fragments(connection, values):
    """Sends a message in ?count= fragments with a ping between each two, and then an empty message."""

    async def parts(kind):
        for number in range(int(values["count"])):
            if number:
                await connection.ping()
            yield kind(number)

    await connection.send(parts(lambda number: f"{number}ä€😀 "))
    await connection.send(parts(lambda number: bytes([number])))
    await connection.send(parts(lambda number: ""))


async def ping(connection, values):
    """Sends a ping, and then a message after the pong has arrived."""
    for _ in range(3):
        await (await connection.ping())
    await connection.send("pong")


async def close(connection, values):
    await connection.close(int(values.get("code", "1000")), values.get("reason", ""))


async def end(connection, values):
    """Ends the connection without a Close frame."""
    await connection.send("last words")
    connection.transport.close()
    await connection.wait_closed()


async def reset(connection, values):
    """Ends the connection with a TCP reset, after a message has arrived."""
    await connection.recv()
    connection.transport.get_extra_info("socket").setsockopt(
        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
    )
    connection.transport.abort()
    await connection.wait_closed()


async def fields(connection, values):
    """Answers with the fields of the request, in order."""
    await connection.send(json.dumps([[name, value] for name, value in connection.request.headers.raw_items()]))


HANDLERS = {"/" + f.__name__: f for f in [echo, count, flood, fragments, ping, close, end, reset, fields]}


async def handle(connection):
    values = query(connection)
    try:
        await HANDLERS[path(connection)](connection, values)
    except ConnectionClosed:
        pass
    finally:
        await connection.close()
        received = connection.protocol.close_rcvd
        if "id" in values:
            reports[values["id"]].set_result(
                {"code": received.code if received else None, "reason": received.reason if received else None}
            )


async def main():
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain("good.pem", "good.key")
    settings = {"process_request": process_request, "max_size": 1 << 26, "ping_interval": None, "close_timeout": 60}
    settings["open_timeout"] = None  # a slow machine must not fail the handshake
    plain = await serve(handle, "127.0.0.1", 0, **settings)
    secure = await serve(handle, "127.0.0.1", 0, ssl=tls, **settings)
    local = await unix_serve(handle, "socket", **settings)
    ports = [str(server.sockets[0].getsockname()[1]) for server in (plain, secure)]
    with open(sys.argv[1] + ".new", "w") as file:
        file.write("\n".join(ports) + "\n")
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    await asyncio.gather(*(server.serve_forever() for server in (plain, secure, local)))


asyncio.run(main())
