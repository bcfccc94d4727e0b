# SPDX-License-Identifier: Apache-2.0
"""What the scripts of the raw server are made of, besides bytes to be sent: functions of a connection."""

import socket
import struct
import threading
import time
from collections import defaultdict

gates = defaultdict(threading.Event)


class Finished(Exception):
    """The connection is to be closed."""


def close(peer):
    """Ends the connection in order."""
    raise Finished


def reset(peer):
    """Ends the connection by RST."""
    peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise Finished


def stall(peer):
    """Says nothing more, until the client gives up."""
    while peer.receive():
        pass
    raise Finished


def never_read(peer):
    """Takes nothing; longer than any test takes, also on a busy machine."""
    time.sleep(3600)
    raise Finished


def half_close(peer):
    """Says nothing more, and says so, but keeps listening."""
    peer.socket.shutdown(socket.SHUT_WR)
    stall(peer)


def gate(peer):
    """Waits until somebody asks for /open with the same ?gate=."""
    if not gates[peer.query["gate"]].wait(60):
        raise Finished


def drip(data):
    def send(peer):
        for index in range(len(data)):
            peer.send(data[index : index + 1])
            time.sleep(0.005)

    return send


def endless(data):
    def send(peer):
        while True:
            peer.send(data)

    return send
