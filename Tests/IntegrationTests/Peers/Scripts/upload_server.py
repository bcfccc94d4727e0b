# SPDX-License-Identifier: Apache-2.0
"""A server for "Resumable Uploads for HTTP" (draft-ietf-httpbis-resumable-upload) and for tus 1.0.0.

    upload_server.py [--port N] [--report FILE] [--version 8|6] [--tus] [--rate BYTES] [--limit NAME=N ...]

Stores uploads in memory. Prints the port, or writes it to FILE, then prints one line of JSON for each request. Each request for a target creates an
upload, or is a plain request if it does not ask for one. The answer of a complete upload is the SHA-256 of its content.

The server acknowledges what it has stored with informational responses, and keeps it when a connection breaks. Paths of
targets that begin with a word have a conduct: `/plain…` does not support the protocol; `/lost…` breaks the connection in
place of the first answer; `/busy…` answers 503 to each third request for the upload; `/cut-N…` breaks each
connection after N bytes of content; `/away…` names a Location with the host `localhost` in place of the address.
"""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import socket
import socketserver
import sys
import threading
import time


class Upload:
    def __init__(self, target: str, length: int | None):
        self.target = target
        self.length = length
        self.content = bytearray()
        self.is_complete = False
        self.lock = threading.Lock()
        self.request_count = 0


class Handler(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def setup(self):
        super().setup()
        self.options, self.uploads, self.log = self.server.options, self.server.uploads, self.server.log

    def handle(self):
        try:
            while self.answer():
                pass
        except (OSError, ValueError):
            pass

    def answer(self) -> bool:
        line = self.rfile.readline(65536).decode("latin-1").split()
        if len(line) != 3:
            return False
        self.method, self.path = line[0], line[1]
        self.fields = {}
        while (field := self.rfile.readline(65536).strip()) != b"":
            name, _, value = field.decode("latin-1").partition(":")
            self.fields[name.strip().lower()] = value.strip()
        self.arrived = 0
        self.is_open = self.fields.get("connection") != "close"
        if self.path.startswith("/log?"):
            # The log of the requests for one target.
            target = self.path.removeprefix("/log?")
            self.send(200, {}, json.dumps(self.server.entries.get(target, [])).encode())
        elif self.options.tus:
            self.tus()
        elif self.path.startswith("/uploads/"):
            self.draft_upload()
        else:
            self.draft_target()
        return self.is_open

    # MARK: Messages

    def send(self, status: int, fields: dict, body: bytes = b""):
        reason = {104: "Upload Resumption Supported", 100: "Continue"}.get(status, "Status")
        lines = [f"HTTP/1.1 {status} {reason}"] + [f"{name}: {value}" for name, value in fields.items()]
        if status >= 200 and status != 204:
            lines.append(f"Content-Length: {len(body)}")
        if status >= 200 and self.arrived < self.length():
            lines.append("Connection: close")
            self.is_open = False
        head = "\r\n".join(lines) + "\r\n\r\n"
        self.wfile.write(head.encode("latin-1") + (b"" if self.method == "HEAD" else body))
        self.wfile.flush()

    def length(self) -> int:
        return int(self.fields.get("content-length", "0"))

    def receive(self, upload: Upload, cut: int | None, progress):
        """Stores the content, piece by piece."""
        rest = self.length()
        while rest:
            piece = self.connection_read(min(rest, 65536))
            if not piece:
                raise OSError("the client has gone")
            if cut is not None and self.arrived + len(piece) >= cut:
                piece = piece[: cut - self.arrived]
            upload.content += piece
            self.arrived += len(piece)
            rest -= len(piece)
            if cut is not None and self.arrived >= cut and rest:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                raise OSError("the server breaks the connection")
            if self.options.rate:
                time.sleep(len(piece) / self.options.rate)
            if rest:
                progress(len(upload.content))

    def connection_read(self, count: int) -> bytes:
        return self.rfile.read1(count)

    def receive_plain(self) -> bytes:
        if "chunked" in self.fields.get("transfer-encoding", ""):
            content = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                content += self.rfile.read(size)
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
            return content
        content = b""
        while len(content) < self.length():
            piece = self.connection_read(min(self.length() - len(content), 65536))
            if not piece:
                raise OSError("the client has gone")
            content += piece
            if self.options.rate:
                time.sleep(len(piece) / self.options.rate)
        self.arrived = len(content)
        return content

    def cut_count(self, target: str) -> int | None:
        word = target.strip("/").split("/")[0].split("-")
        return int(word[1]) if word[0] == "cut" and len(word) > 1 else None

    # MARK: The draft

    @property
    def version_fields(self) -> dict:
        return {"Upload-Draft-Interop-Version": str(self.options.version)}

    @property
    def limit_fields(self) -> dict:
        return {"Upload-Limit": ", ".join(self.options.limit)} if self.options.limit else {}

    def draft_target(self):
        asks = self.fields.get("upload-draft-interop-version") == str(self.options.version)
        if not asks or "upload-complete" not in self.fields or self.path.startswith("/plain"):
            content = self.receive_plain()
            digest = hashlib.sha256(content).hexdigest()
            self.log(method=self.method, path=self.path, plain=True, content=len(content), sha256=digest)
            return self.send(201, {}, digest.encode())
        is_last = self.fields["upload-complete"] == "?1"
        length = self.fields.get("upload-length")
        upload = Upload(self.path, int(length) if length else self.length() if is_last else None)
        name = hashlib.sha256(f"{time.time_ns()}{self.path}".encode()).hexdigest()[:16]
        self.uploads[name] = upload
        host = f"http://localhost:{self.server.server_address[1]}" if self.path.startswith("/away") else ""
        location = {"Location": f"{host}/uploads/{name}"}
        self.log(method=self.method, path=self.path, upload=name, offset=0, content=self.length(), fields=self.fields)
        with upload.lock:
            self.send(104, location | self.version_fields | self.limit_fields)
            self.append(upload, is_last, location)

    def draft_upload(self):
        name = self.path.removeprefix("/uploads/")
        upload = self.uploads.get(name)
        self.log(method=self.method, path=self.path, upload=name, offset=int(self.fields.get("upload-offset", "-1")),
            content=self.length(), fields=self.fields)
        if upload is None:
            return self.send(404, {})
        upload.request_count += 1
        if upload.target.startswith("/busy") and upload.request_count % 3 == 0:
            return self.send(503, {"Retry-After": "0"})
        with upload.lock:
            state = {"Upload-Offset": len(upload.content), "Upload-Complete": "?1" if upload.is_complete else "?0"}
            if self.method == "HEAD":
                if upload.length is not None:
                    state["Upload-Length"] = upload.length
                return self.send(204, state | self.limit_fields | {"Cache-Control": "no-store"})
            if self.method == "DELETE":
                del self.uploads[name]
                return self.send(204, {})
            if self.method != "PATCH":
                return self.send(405, {})
            if self.fields.get("content-type") != "application/partial-upload":
                return self.send(415, {})
            if upload.is_complete:
                return self.problem("completed-upload", {}, state)
            if self.fields.get("upload-offset") != str(len(upload.content)):
                values = {"expected-offset": len(upload.content), "provided-offset": self.fields.get("upload-offset")}
                return self.problem("mismatching-upload-offset", values, state, 409)
            self.append(upload, self.fields.get("upload-complete") == "?1", {})

    def problem(self, kind: str, values: dict, fields: dict, status: int = 400):
        body = json.dumps({"type": f"https://iana.org/assignments/http-problem-types#{kind}"} | values).encode()
        self.send(status, {"Content-Type": "application/problem+json"} | fields, body)

    def append(self, upload: Upload, is_last: bool, fields: dict):
        def progress(offset: int):
            self.send(104, self.version_fields | {"Upload-Offset": offset})

        self.receive(upload, self.cut_count(upload.target), progress)
        if not is_last:
            return self.send(201, fields | {"Upload-Complete": "?0", "Upload-Offset": len(upload.content)})
        digest = self.complete(upload)
        self.send(200, fields | {"Upload-Complete": "?1", "Upload-Offset": len(upload.content)}, digest.encode())

    def complete(self, upload: Upload) -> str:
        """Processes the content of an upload; returns the answer."""
        upload.is_complete = True
        digest = hashlib.sha256(upload.content).hexdigest()
        self.log(complete=upload.target, sha256=digest, length=len(upload.content))
        if upload.target.startswith("/lost"):
            raise OSError("the server loses the answer")
        return digest

    # MARK: tus

    def tus(self):
        fields = {"Tus-Resumable": "1.0.0"}
        name = self.path.removeprefix("/uploads/")
        upload = self.uploads.get(name)
        self.log(method=self.method, path=self.path, offset=int(self.fields.get("upload-offset", "-1")),
            content=self.length(), fields=self.fields)
        if self.fields.get("tus-resumable") != "1.0.0":
            return self.send(412, {"Tus-Version": "1.0.0"})
        if not self.path.startswith("/uploads/"):
            name = hashlib.sha256(f"{time.time_ns()}{self.path}".encode()).hexdigest()[:16]
            upload = self.uploads[name] = Upload(self.path, int(self.fields["upload-length"]))
            host = f"http://localhost:{self.server.server_address[1]}" if self.path.startswith("/away") else ""
            return self.send(201, fields | {"Location": f"{host}/uploads/{name}"})
        if upload is None:
            return self.send(404, fields)
        upload.request_count += 1
        if upload.target.startswith("/busy") and upload.request_count % 3 == 0:
            return self.send(503, {"Retry-After": "0"})
        with upload.lock:
            state = fields | {"Upload-Offset": len(upload.content)}
            if self.method == "HEAD":
                return self.send(200, state | {"Upload-Length": upload.length, "Cache-Control": "no-store"})
            if self.method == "DELETE":
                del self.uploads[name]
                return self.send(204, fields)
            if self.fields.get("content-type") != "application/offset+octet-stream":
                return self.send(415, fields)
            if self.fields.get("upload-offset") != str(len(upload.content)):
                return self.send(409, fields)
            before = len(upload.content)
            self.receive(upload, self.cut_count(upload.target), lambda offset: None)
            if checksum := self.fields.get("upload-checksum"):
                algorithm, _, value = checksum.partition(" ")
                if hashlib.new(algorithm, upload.content[before:]).digest() != base64.b64decode(value):
                    del upload.content[before:]
                    return self.send(460, fields)
            if len(upload.content) == upload.length and not upload.is_complete:
                self.complete(upload)
            self.send(204, fields | {"Upload-Offset": len(upload.content)})


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, port: int, options: argparse.Namespace):
        super().__init__(("127.0.0.1", port), Handler)
        self.options = options
        self.uploads: dict[str, Upload] = {}
        self.entries: dict[str, list] = {}
        self.log_lock = threading.Lock()

    def log(self, **values):
        path = values.get("path", "")
        upload = self.uploads.get(path.removeprefix("/uploads/"))
        target = values.get("complete") or (upload.target if upload else path)
        with self.log_lock:
            self.entries.setdefault(target, []).append(values)
            print(json.dumps(values), flush=True)

    def handle_error(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--version", type=int, choices=[6, 8], default=8)
    parser.add_argument("--tus", action="store_true")
    parser.add_argument("--rate", type=int, help="bytes a second that each connection may send")
    parser.add_argument("--limit", nargs="*", default=[], help="members of Upload-Limit")
    parser.add_argument("--report", help="the file for the port")
    options = parser.parse_args()
    with Server(options.port, options) as server:
        port = server.server_address[1]
        if options.report:
            pathlib.Path(options.report + "-new").write_text(f"{port}\n")
            os.replace(options.report + "-new", options.report)
        else:
            print(port, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
