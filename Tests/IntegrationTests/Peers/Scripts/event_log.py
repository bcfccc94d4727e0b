#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends the two events after the Last-Event-ID, and then nothing, until the process ends. A test ends and restarts it.

Usage: event_log.py PORT. Listens on this port of the loopback interface.
"""

import socket
import sys
import threading

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def serve(connection):
    head = b""
    while b"\r\n\r\n" not in head:
        data = connection.recv(65536)
        if not data:
            return connection.close()
        head += data
    fields = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:] if line)
    first = int(fields.get("last-event-id", "0")) + 1
    events = b"".join(b"id: %d\ndata: of this process\n\n" % number for number in (first, first + 1))
    connection.sendall(HEAD + b"%x\r\n%b\r\n" % (len(events), events))
    connection.recv(1)


def main():
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=[connection], daemon=True).start()


main()
