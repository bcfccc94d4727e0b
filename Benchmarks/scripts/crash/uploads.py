# SPDX-License-Identifier: Apache-2.0
"""Rounds of uploads that are killed.

Each round uploads one file with `tern-cli upload --resumable` to a server of the tests, by the draft of the IETF in version 8
or 6, or by tus. The round ends the process with SIGKILL at a random moment, checks the record, and starts the next process,
until a process completes the upload. In some rounds, the server also breaks its connections, is busy, or loses an answer.
After each kill:

- the record, if there is one, is true: the server has the upload that it names, with at least the bytes that it claims;
- the next process asks for the offset and sends the bytes after it, and no others. It creates an upload only without a record.

At the end of a round, the server has the complete file, byte for byte, and there is no record. The server has processed the
file once, and once more for each process that was killed before the first record.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import stat
import subprocess
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "Tests/IntegrationTests/Peers/Scripts"))
import upload_server  # noqa: E402

PROTOCOLS = {"draft": {"version": 8}, "draft-6": {"version": 6}, "tus": {"tus": True}}


class Server(upload_server.Server):
    """A server that keeps the log of its requests for each target."""

    def __init__(self, **options):
        super().__init__(0, argparse.Namespace(**({"version": 8, "tus": False, "rate": 400_000, "limit": []} | options)))
        self.entries = collections.defaultdict(list)
        self.changed = threading.Condition()
        self.connections = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def log(self, **values):
        path = values.get("path", "")
        upload = self.uploads.get(path.removeprefix("/uploads/"))
        with self.changed:
            self.entries[values.get("complete") or (upload.target if upload else path)].append(values)
            self.changed.notify_all()

    def process_request(self, *arguments):
        with self.changed:
            self.connections += 1
        super().process_request(*arguments)

    def shutdown_request(self, *arguments):
        super().shutdown_request(*arguments)
        with self.changed:
            self.connections -= 1
            self.changed.notify_all()

    def wait_for_silence(self, seconds: float):
        """Waits until no connection is open: the server has then read all that clients have sent."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.connections == 0, seconds):
                raise Failure("a connection stays open")

    def wait(self, target: str, count: int, seconds: float):
        """Waits until there are more than `count` entries for a target."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.entries[target]) > count, seconds)


def start() -> dict[str, Server]:
    """Starts the servers of all rounds."""
    return {name: Server(**options) for name, options in PROTOCOLS.items()}


class Failure(Exception):
    pass


class Round:
    def __init__(self, number: int, seed: int, servers: dict[str, Server], folder: pathlib.Path, cli: str):
        self.generator = random.Random(f"{seed}/{number}/upload")
        self.protocol = self.generator.choice(list(PROTOCOLS))
        self.server = servers[self.protocol]
        self.content = self.generator.randbytes(self.generator.randint(100_000, 1_000_000))
        # So few cuts that the attempts that the process may make are enough for the longest file.
        cut = f"cut-{self.generator.randint(30_000, 600_000)}"
        conduct = self.generator.choice(["steady"] * 4 + ["busy", "lost", cut])
        self.is_lost = conduct == "lost"
        self.target = f"/{conduct}/{number}"
        self.folder = folder / f"u{number}"
        self.folder.mkdir()
        self.file = self.folder / "file"
        self.file.write_bytes(self.content)
        self.record = self.folder / "file.tern-upload"
        self.cli = cli
        self.steps = collections.Counter()

    @property
    def entries(self) -> list:
        with self.server.changed:
            return list(self.server.entries[self.target])

    def run(self) -> collections.Counter:
        kills = self.generator.randint(1, 5)
        allowed = 1  # the number of times that the server may process the file
        for attempt in range(kills + 20):
            known = self.recorded()
            before = len(self.entries)
            port = self.server.server_address[1]
            process = subprocess.Popen(
                [self.cli, "upload", "--protocol", self.protocol, "--quiet", "--retry", "50", "--retry-delay", "0.05", "-H",
                 f"Process: {attempt}", "-X", "POST", f"http://127.0.0.1:{port}{self.target}", str(self.file)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            if attempt < kills:
                ended = self.kill(process, before)
                self.check_requests(known, attempt)
                if ended:
                    break
                if self.recorded() is None:
                    allowed += 1
                continue
            _, text = process.communicate(timeout=120)
            if process.returncode != 0:
                raise Failure(f"the process ended with {process.returncode}: {text.decode(errors='replace').strip()}")
            self.check_requests(known, attempt)
            break
        else:
            raise Failure("the upload did not end")
        complete = [entry for entry in self.entries if "complete" in entry]
        if not complete:
            raise Failure("the server does not have the complete file")
        if len(complete) > allowed:
            raise Failure(f"the server processed the file {len(complete)} times, {allowed} are allowed")
        digest = hashlib.sha256(self.content).hexdigest()
        if any(entry["sha256"] != digest for entry in complete):
            raise Failure("the server has another file")
        names = sorted(path.name for path in self.folder.iterdir())
        if names != ["file"]:
            raise Failure(f"beside the file: {names}")
        self.file.unlink()
        return self.steps

    def kill(self, process: subprocess.Popen, before: int) -> bool:
        """Kills the process at a random moment; returns whether it had ended before."""
        choice = self.generator.random()
        seconds = len(self.content) / 400_000
        if choice < 0.1:
            time.sleep(self.generator.uniform(0, 0.2))
        elif choice < 0.3:
            self.server.wait(self.target, before, 30)
            time.sleep(self.generator.uniform(0, 0.02))
        elif choice < 0.5:
            # The last moments have the most steps: the answer, and deleting the record.
            with self.server.changed:
                self.server.changed.wait_for(
                    lambda: any("complete" in entry for entry in self.server.entries[self.target][before:]), seconds * 2)
            time.sleep(self.generator.uniform(0, 0.012))
        else:
            self.server.wait(self.target, before, 30)
            time.sleep(self.generator.uniform(0, seconds))
        process.kill()
        process.communicate()
        self.steps[self.step(process, before)] += 1
        return process.returncode == 0

    def step(self, process: subprocess.Popen, before: int) -> str:
        if process.returncode == 0:
            return "after the end"
        if len(self.entries) == before:
            return "before a request"
        if self.recorded() is None:
            return "without a record"
        if any("complete" in entry for entry in self.entries):
            return "after the last byte"
        return "after a record"

    def recorded(self) -> dict | None:
        """Returns the record, and checks that it is true."""
        if not self.record.exists() or self.record.stat().st_size == 0:
            return None
        if stat.S_IMODE(self.record.stat().st_mode) != 0o600:
            raise Failure("other users can read the record")
        line, content = self.record.read_bytes().split(b"\n", 1)
        if line.decode() != f"tern-upload 1 sha256:{hashlib.sha256(content).hexdigest()}":
            raise Failure("the record is damaged")
        record = json.loads(content)
        upload = self.server.uploads.get(os.path.basename(record["url"]))
        if upload is None or upload.target != self.target:
            raise Failure("the record names an upload that the server does not have")
        if record["acknowledged"] > len(upload.content):
            raise Failure(f"the record claims {record['acknowledged']} bytes, and the server has {len(upload.content)}")
        return record

    def check_requests(self, known: dict | None, attempt: int):
        """Checks the requests of a process that began with a record.

        A field tells the processes apart, because the server may read a request after its process was killed.
        """
        requests = [entry for entry in self.entries if entry.get("fields", {}).get("process") == str(attempt)]
        if known is None or not requests:
            return
        path = "/uploads/" + os.path.basename(known["url"])
        if any(entry["path"] != path for entry in requests):
            raise Failure("the process did not continue the upload of its record")
        if requests[0]["method"] != "HEAD":
            raise Failure(f"the first request was {requests[0]['method']}, not HEAD")
