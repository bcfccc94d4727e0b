#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command where a name server of our own answers all questions, except those whose names contain "silent".

    Benchmarks/scripts/silent_names.py COMMAND…

The command and the server are in a network of their own, which ends with the command: nothing outside of it sees a question.
All other names have the address 127.0.0.1. Needs `unshare` and `ip`, and a kernel that lets users make namespaces.
"""

import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading

INSIDE = "TERN_SILENT_NAMES"


def answer(question: bytes) -> bytes | None:
    """The answer to a question in DNS (RFC 1035, section 4), or `None` for a silent name."""
    end = question.index(b"\0", 12) + 5  # the name, its end, a type and a class
    if b"silent" in question[12:end].lower():
        return None
    wants_address = struct.unpack("!H", question[end - 4 : end - 2])[0] == 1
    head = question[:2] + struct.pack("!HHHHH", 0x8180, 1, int(wants_address), 0, 0)
    record = b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 1, 4) + socket.inet_aton("127.0.0.1")
    return head + question[12:end] + (record if wants_address else b"")


def serve(server: socket.socket) -> None:
    while True:
        question, sender = server.recvfrom(4096)
        if reply := answer(question):
            server.sendto(reply, sender)


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 64
    if INSIDE not in os.environ:
        own = ["unshare", "--user", "--map-root-user", "--net", "--mount", sys.executable, *sys.argv]
        os.execvpe(own[0], own, {**os.environ, INSIDE: "yes"})
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.NamedTemporaryFile("w") as settings:
        settings.write("nameserver 127.0.0.1\n")
        settings.flush()
        subprocess.run(["mount", "--bind", settings.name, "/etc/resolv.conf"], check=True)
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("127.0.0.1", 53))
        threading.Thread(target=serve, args=[server], daemon=True).start()
        return subprocess.run(sys.argv[1:]).returncode


sys.exit(main())
