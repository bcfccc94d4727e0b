# SPDX-License-Identifier: Apache-2.0
"""Rounds of downloads that are killed.

Each round downloads one file with `tern-cli download --continue` from a server of this module. The round ends the process
with SIGKILL at a random moment, checks the files, and starts the next process with another URL of the same file, until a
process completes the download. In some rounds, the server also breaks its connections, or the file changes. In other rounds,
each process makes a random number of requests at the same time (`--parallel`). After each kill:

- the destination does not exist, or it is the complete file, byte for byte;
- the record, if there is one, is true: the partial file has the bytes that it claims, of the version that it names;
- the next process requests the bytes that the record lacks, and no others, unless the file has changed; and unless the server
  breaks connections, it requests no byte twice.

At the end of a round, the destination is the complete file, and nothing is beside it.
"""

import collections
import hashlib
import http.server
import json
import pathlib
import random
import subprocess
import threading
import time

PIECE = 32 << 10


class File:
    """One resource of the server, and what the server has seen of its requests."""

    def __init__(self, generator: random.Random, length: int, seconds: float, changes: bool = False, breaks: bool = False):
        self.generator = generator
        self.length = length
        self.seconds = seconds  # of a whole download
        self.connections = 1  # which share the speed
        self.served = 0  # bytes, of all requests
        self.breaks = breaks
        self.changes = changes
        self.version = 0
        self.contents = [generator.randbytes(self.length)]
        self.lock = threading.Lock()
        self.attempt = 0  # the number of the process
        self.ranges = []  # the range of each request of this process, as the server answers it; None for the whole file
        self.is_asked = threading.Event()
        self.is_last_sent = threading.Event()

    @property
    def tag(self) -> str:
        return f'"{self.version}-{hashlib.sha256(self.contents[self.version]).hexdigest()[:8]}"'

    def change(self):
        with self.lock:
            self.contents.append(self.generator.randbytes(self.length))
            self.version += 1


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    files: dict[str, File] = {}

    def log_message(self, *_):
        pass

    def do_GET(self):
        file = self.files[self.path.split("?")[0].split("/")[1]]
        with file.lock:
            content, tag = file.contents[file.version], file.tag
            start, stop = None, len(content)
            asked = self.headers.get("Range")
            if asked and self.headers.get("If-Range", tag) == tag:
                first, last = asked.removeprefix("bytes=").split("-")
                start, stop = int(first), min(int(last) + 1 if last else stop, stop)
            # A request of a process that was killed may be read late. A queue marks its requests with a field.
            attempt = self.headers.get("X-Attempt", self.path.partition("?signature=")[2])
            if attempt == str(file.attempt):
                file.ranges.append(None if start is None else (start, stop))
                file.is_asked.set()
            breaks_at = file.generator.randint(start or 0, max(start or 0, stop)) if file.breaks else None
        if start is not None and start >= len(content):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(content)}")
            self.send_header("ETag", tag)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        offset = start or 0
        self.send_response(200 if start is None else 206)
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(stop - offset))
        if start is not None:
            self.send_header("Content-Range", f"bytes {start}-{stop - 1}/{len(content)}")
        self.end_headers()
        try:
            while offset < stop:
                if breaks_at is not None and offset >= breaks_at:
                    self.close_connection = True
                    return
                end = min(offset + PIECE, stop)
                if end == len(content):
                    file.is_last_sent.set()
                self.wfile.write(content[offset:end])
                with file.lock:
                    file.served += end - offset
                time.sleep(file.seconds * file.connections * (end - offset) / len(content))
                offset = end
        except OSError:
            self.close_connection = True


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


class Failure(Exception):
    pass


def recorded(destination: pathlib.Path, file: File) -> list | None:
    """Returns the ranges of the present version that the record claims, and checks that they are there."""
    record = destination.with_name(destination.name + ".tern-record")
    partial = destination.with_name(destination.name + ".tern-partial")
    if not record.exists():
        return None
    line, content = record.read_bytes().split(b"\n", 1)
    if line.decode() != f"tern-download 1 sha256:{hashlib.sha256(content).hexdigest()}":
        raise Failure("the record is damaged")
    record = json.loads(content)
    version = int(record["etag"].strip('"').split("-")[0])
    data = partial if partial.exists() else destination
    # A process that was killed at its beginning leaves an empty partial file beside the complete file.
    if destination.exists() and destination.stat().st_ino == record.get("number") and data.stat().st_size == 0:
        data = destination
    have = data.read_bytes()
    for start, end in record["ranges"]:
        if have[start:end] != file.contents[version][start:end]:
            raise Failure(f"the record claims bytes {start} to {end} of version {version}, which are not there")
    if version != file.version:
        return [[0, 0]]  # the request names a version that the server no longer has
    return record["ranges"]


def check_requests(file: File, known: list | None, count: int = 1):
    """Checks the requests of a process that found a record with these ranges, and makes up to `count` at once."""
    with file.lock:
        ranges = list(file.ranges)
    if not ranges:
        return
    if known == [[0, 0]]:
        expected, known = None, []
    elif known:
        expected = 0 if known[0][0] > 0 else known[0][1]
    else:
        expected, known = None if count == 1 else 0, known or []
    first = None if ranges[0] is None else ranges[0][0]
    if first != expected:
        raise Failure(f"the record claimed {known}, {count} requests were allowed, and the first began at {first}")
    taken = [tuple(one) for one in known]
    for one in ranges:
        if one is None:
            continue
        for other in taken:
            if one[0] < other[1] and other[0] < one[1]:
                raise Failure(f"the record claimed {known}, and the process requested {one} after {other}")
        if not file.breaks:
            taken.append(one)


class Round:
    def __init__(self, number: int, seed: int, server: Server, folder: pathlib.Path, cli: str):
        self.generator = random.Random(f"{seed}/{number}")
        kind = self.generator.random()
        self.is_parallel = self.generator.random() < 0.5
        shortest, longest = (2_000_000, 8_000_000) if self.is_parallel else (200_000, 1_500_000)
        length, seconds = self.generator.randint(shortest, longest), self.generator.uniform(2.0, 5.0)
        self.file = File(self.generator, length, seconds, changes=kind < 0.15, breaks=0.15 <= kind < 0.4)
        self.name = f"f{number}"
        Handler.files[self.name] = self.file
        self.url = f"http://127.0.0.1:{server.server_port}/{self.name}"
        self.folder = folder / self.name
        self.folder.mkdir()
        self.destination = self.folder / "file"
        self.record = self.folder / "file.tern-record"
        self.cli = cli
        self.steps = collections.Counter()
        # The version of which a record claimed all bytes: the next process finishes it without a request.
        self.claimed: int | None = None
        # The version that was complete at the destination when a process was killed: it stays, whatever changes later.
        self.placed = None

    def run(self) -> collections.Counter:
        kills = self.generator.randint(1, 6)
        for attempt in range(kills + 20):
            known = self.recorded()
            count = self.generator.choice([1, 2, 3, 4, 8]) if self.is_parallel else 1
            with self.file.lock:
                self.file.attempt = attempt
                self.file.connections = count
                self.file.ranges.clear()
            self.file.is_asked.clear()
            self.file.is_last_sent.clear()
            process = subprocess.Popen(
                [self.cli, "download", "--continue", "--quiet", "--retry", "50", "--retry-delay", "0.05", "--output",
                 str(self.destination), *(["--parallel", str(count)] if count > 1 else []),
                 f"{self.url}?signature={attempt}"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            if attempt < kills:
                self.kill(process)
                check_requests(self.file, known, count)
                self.check_files()
                if self.file.changes and self.generator.random() < 0.5:
                    self.file.change()
                continue
            _, text = process.communicate(timeout=120)
            if process.returncode != 0:
                raise Failure(f"the process ended with {process.returncode}: {text.decode(errors='replace').strip()}")
            check_requests(self.file, known, count)
            break
        else:
            raise Failure("the download did not end")
        version = self.finished() if self.placed is None else self.placed
        if self.destination.read_bytes() != self.file.contents[version]:
            same = [number for number, content in enumerate(self.file.contents) if content == self.destination.read_bytes()]
            raise Failure(f"the file at the destination is version {same or 'none'}, not {version}")
        names = sorted(path.name for path in self.folder.iterdir())
        if names != ["file"]:
            raise Failure(f"beside the file: {names}")
        self.destination.unlink()
        del Handler.files[self.name]
        return self.steps

    def kill(self, process: subprocess.Popen):
        """Kills the process at a random moment."""
        choice = self.generator.random()
        if choice < 0.1:
            time.sleep(self.generator.uniform(0, 0.2))
        elif choice < 0.4:
            # The last moments have the most steps: synchronizing, checking, renaming, deleting the record.
            self.file.is_last_sent.wait(self.file.seconds * 4)
            time.sleep(self.generator.uniform(0, 0.012))
        else:
            self.file.is_asked.wait(30)
            time.sleep(self.generator.uniform(0, self.file.seconds))
        process.kill()
        process.communicate()
        self.steps["after the end" if process.returncode == 0 else self.step()] += 1
        if self.destination.exists() and not self.record.exists():
            # The download was complete, so the next process begins anew.
            self.check_files()
            self.destination.unlink()
            self.placed = None

    def step(self) -> str:
        if self.destination.exists():
            return "after the rename"
        if not self.file.ranges:
            return "before the request"
        record = self.recorded()
        if record is None:
            return "before the first record"
        return "after a record with gaps" if len(record) > 1 or record and record[0][0] > 0 else "after a record"

    def recorded(self) -> list | None:
        ranges = recorded(self.destination, self.file)
        if ranges == [[0, self.file.length]]:
            self.claimed = self.file.version
        return ranges

    def finished(self) -> int:
        """Returns the version that the file at the destination must have."""
        if self.claimed is not None and self.destination.read_bytes() == self.file.contents[self.claimed]:
            return self.claimed
        return self.file.version

    def check_files(self):
        if self.destination.exists():
            if self.placed is None:
                self.placed = self.finished()
            if self.destination.read_bytes() != self.file.contents[self.placed]:
                raise Failure("a file that is not complete is at the destination")
        self.recorded()


def start() -> Server:
    """Starts the server of all rounds."""
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
