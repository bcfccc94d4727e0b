#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Forwards a connection to a TLS server, and cuts the server's answer off.

Usage: tls_cutter.py TARGET REPORT COUNT... Listens on two ports of the loopback interface for each COUNT. What a client sends
is passed on to the port TARGET, and of what comes back COUNT bytes; then the connection ends, on the first port in order, on
the second by RST. It writes the ports to the file REPORT, a line each.
"""

import os
import socket
import struct
import sys
import threading


def cut(client, target, count, resets):
    """One connection: forwards the ClientHello, and sends back a part of the answer."""
    with client, socket.create_connection(("127.0.0.1", target)) as server:
        server.sendall(client.recv(4096))
        while count > 0 and (data := server.recv(count)):
            client.sendall(data)
            count -= len(data)
        if resets:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            client.shutdown(socket.SHUT_WR)
            client.settimeout(3600)
            while client.recv(4096):
                pass


def survive(*arguments):
    try:
        cut(*arguments)
    except OSError:
        pass  # the client has already closed the connection


def serve(listener, *arguments):
    while True:
        client, _ = listener.accept()
        threading.Thread(target=survive, args=(client, *arguments), daemon=True).start()


def main():
    target, report = int(sys.argv[1]), sys.argv[2]
    ports = []
    threads = []
    for count in map(int, sys.argv[3:]):
        for resets in (False, True):
            listener = socket.create_server(("127.0.0.1", 0))
            ports.append(listener.getsockname()[1])
            threads.append(threading.Thread(target=serve, args=(listener, target, count, resets)))
    with open(report + ".part", "w") as file:
        file.write("".join(f"{port}\n" for port in ports))
    os.rename(report + ".part", report)
    for thread in threads:
        thread.start()


main()
