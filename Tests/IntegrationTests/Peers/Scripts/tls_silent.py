#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completes a TLS handshake, reads, and sends nothing: no answer, no closure alert, no end of the connection.

Usage: tls_silent.py CHAIN KEY REPORT. Listens on a port of the loopback interface that the system chooses, and writes it to the
file REPORT.
"""

import os
import socket
import ssl
import sys
import threading

kept = []


def serve(context, client):
    try:
        connection = context.wrap_socket(client, server_side=True, suppress_ragged_eofs=True)
        kept.append(connection)
        while connection.recv(65536):
            pass
    except OSError:
        pass  # the client has already closed the connection


def main():
    chain, key, report = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    with open(report + ".part", "w") as file:
        file.write(f"{listener.getsockname()[1]}\n")
    os.rename(report + ".part", report)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(context, client), daemon=True).start()


main()
