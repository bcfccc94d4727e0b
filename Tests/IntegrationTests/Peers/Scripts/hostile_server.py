#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speaks HTTP/2 in another way for each path, mostly a wrong way; see hostile_scripts.py.

Usage: hostile_server.py REPORT. Listens on ports of the loopback interface that the system chooses: in the clear, over
TLS with `good.pem` of the current folder, and on three ports that break the rules from the start: the first frame is
PING; the server speaks HTTP/1.1; the server sends nothing. It writes the ports to the file REPORT, a line each.

/report?id=NAME tells what the client did on the connection of the request with this ?id=, once that connection has
ended, or once the client has reset a stream if ?until=reset. If the client used several connections with this ?id=, the
report is about the first.
"""

import json
import os
import selectors
import socket
import ssl
import sys
import threading
from urllib.parse import parse_qs, urlsplit

import http2_frames as frames
from hostile_scripts import SCRIPTS
from hpack import Decoder

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
peers = {}
changed = threading.Condition()


class Ended(Exception):
    """The client has ended the connection."""


class SecureSocket:
    """TLS for a thread that reads and others that send, which Python's own sockets with TLS are not made for."""

    def __init__(self, connection, tls):
        self.socket = connection
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.session = tls.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self.lock = threading.Lock()
        self.read(self.session.do_handshake)
        self.socket.sendall(self.outgoing.read())

    def read(self, operation):
        while True:
            with self.lock:
                try:
                    return operation()
                except ssl.SSLWantReadError:
                    pass
            if operation == self.session.do_handshake:
                self.socket.sendall(self.outgoing.read())
            content = self.socket.recv(65536)
            if not content:
                raise Ended
            with self.lock:
                self.incoming.write(content)

    def recv(self, count):
        return self.read(lambda: self.session.read(count))

    def sendall(self, content):
        """Only one thread at a time calls this."""
        with self.lock:
            self.session.write(content)
            encrypted = self.outgoing.read()
        self.socket.sendall(encrypted)

    def shutdown(self, how):
        self.socket.shutdown(how)


class Peer:
    """One connection. One thread reads; each request has a thread that sends."""

    def __init__(self, connection, tls, greeting):
        self.socket, self.tls, self.greeting = connection, tls, greeting
        self.lock = threading.Lock()
        self.decoder = Decoder()
        self.buffer = b""
        self.may_read = True
        self.may_reply = True
        self.waiting = []
        # What the client did, and how much the client took.
        self.sent, self.go_away, self.resets, self.ended = 0, None, [], False

    def send(self, content):
        with self.lock:
            self.socket.sendall(content)
            self.sent += len(content)

    def reply(self, content):
        """Sends the frame that the protocol demands, but not among the frames of a script that wants none between."""
        with self.lock:
            if self.may_reply:
                self.socket.sendall(content)
                self.sent += len(content)

    def stop_replying(self):
        """Sends no more acknowledgements, because they would end up within a field block, for example."""
        with self.lock:
            self.may_reply = False

    def gather(self, stream, count):
        """Adds a stream to those that wait, and returns all of them once they are `count`, before that none."""
        with self.lock:
            self.waiting.append(stream)
            if len(self.waiting) < count:
                return []
            gathered, self.waiting = self.waiting, []
            return gathered

    def is_over(self):
        return self.ended or self.go_away is not None

    def stop_reading(self):
        """Grants all windows, and reads nothing more, for longer than any test takes."""
        self.may_read = False
        self.send(frames.window_update(0, frames.LARGEST - 65_535) + frames.settings({4: frames.LARGEST}))

    # MARK: Reading

    def serve(self):
        try:
            if self.tls:
                self.socket = SecureSocket(self.socket, self.tls)
            if self.greeting is not None:
                self.send(self.greeting)
                while self.socket.recv(65536):
                    pass
                return
            self.send(frames.settings({3: 1000}))
            if self.receive(len(PREFACE)) != PREFACE:
                return
            while True:
                self.read_frame()
                while not self.may_read:
                    threading.Event().wait(3600)
        except (Ended, OSError):  # ssl.SSLError is an OSError
            pass
        finally:
            with changed:
                self.ended = True
                changed.notify_all()
            # Another thread may still send.
            try:
                self.socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def receive(self, count):
        while len(self.buffer) < count:
            content = self.socket.recv(65536)
            if not content:
                raise Ended
            self.buffer += content
        result, self.buffer = self.buffer[:count], self.buffer[count:]
        return result

    def read_frame(self):
        header = self.receive(9)
        length, kind, flags = int.from_bytes(header[:3], "big"), header[3], header[4]
        stream = int.from_bytes(header[5:], "big")
        payload = self.receive(length)
        if kind == frames.HEADERS:
            self.request(stream, dict(self.decoder.decode(payload)))
        elif kind == frames.SETTINGS and not flags & frames.ACK:
            self.reply(frames.settings_ack())
        elif kind == frames.PING and not flags & frames.ACK:
            self.reply(frames.ping(payload, is_answer=True))
        elif kind == frames.RST_STREAM:
            with changed:
                self.resets.append(int.from_bytes(payload, "big"))
                changed.notify_all()
        elif kind == frames.GOAWAY:
            self.go_away = int.from_bytes(payload[4:8], "big")

    # MARK: Answering

    def request(self, stream, fields):
        if ":path" not in fields:
            return  # trailers
        target = urlsplit(fields[":path"])
        query = {name: values[0] for name, values in parse_qs(target.query).items()}
        if target.path == "/report":
            script = lambda peer, stream: peer.report(stream, query)
        else:
            script = SCRIPTS[target.path]
            if "id" in query:
                with changed:
                    peers.setdefault(query["id"], self)
                    changed.notify_all()
        threading.Thread(target=self.run, args=[script, stream], daemon=True).start()

    def run(self, script, stream):
        try:
            script(self, stream)
        except (OSError, ValueError):
            pass

    def report(self, stream, query):
        with changed:
            changed.wait_for(lambda: query["id"] in peers)
            peer = peers[query["id"]]
            changed.wait_for(lambda: peer.ended or (query.get("until") == "reset" and peer.resets))
        facts = {"sent": peer.sent, "goAway": peer.go_away, "resets": peer.resets}
        self.send(frames.answer(stream, json.dumps(facts)))


def listen():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    return listener


def main():
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain("good.pem", "good.key")
    tls.set_alpn_protocols(["h2"])
    http1 = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
    kinds = [(None, None), (tls, None), (None, frames.ping()), (None, http1), (None, b"")]
    selector = selectors.DefaultSelector()
    ports = []
    for kind in kinds:
        listener = listen()
        ports.append(f"{listener.getsockname()[1]}\n")
        selector.register(listener, selectors.EVENT_READ, kind)
    with open(sys.argv[1] + ".new", "w") as file:
        file.writelines(ports)
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    while True:
        for key, _ in selector.select():
            connection, _ = key.fileobj.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=Peer(connection, *key.data).serve, daemon=True).start()


main()
