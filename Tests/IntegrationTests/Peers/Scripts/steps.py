# SPDX-License-Identifier: Apache-2.0
"""The steps of the raw server's scripts: functions of a connection. (A step may also be bytes to send.)"""

import socket
import struct
import threading
import time
from collections import defaultdict

gates = defaultdict(threading.Event)


class Finished(Exception):
    """Raised to close the connection."""


def close(peer):
    """Closes the connection normally."""
    raise Finished


def reset(peer):
    """Ends the connection with a TCP reset."""
    peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise Finished


def stall(peer):
    """Sends nothing more, until the client closes the connection."""
    while peer.receive():
        pass
    raise Finished


def never_read(peer):
    """Reads nothing, for longer than any test takes, even on a busy machine."""
    time.sleep(3600)
    raise Finished


def half_close(peer):
    """Closes the sending side of the connection, but continues to read."""
    peer.socket.shutdown(socket.SHUT_WR)
    stall(peer)


def gate(peer):
    """Waits until a request for /open with the same ?gate= arrives."""
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
