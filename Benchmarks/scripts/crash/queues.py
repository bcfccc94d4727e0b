# SPDX-License-Identifier: Apache-2.0
"""Rounds of queues that are killed.

Each round adds 50 transfers to a queue with `tern-cli transfers add`: short and long downloads, and uploads by the draft of the
IETF in version 8 and by tus, all from and to servers of this module and its neighbours. Then it runs the queue, ends the process
with SIGKILL at a random moment, at least five times, and then runs the queue until all transfers have ended. Some servers break
their connections, are busy, or do not support the protocol. After each kill:

- each destination does not exist, or it is the complete file, byte for byte;
- the record of each download, if there is one, is true; the next process requests the bytes after those of the record, and no
  others, so only bytes that arrived since the last record are fetched twice;
- a download whose file is at its destination, and each transfer that was completed, is never requested again.

The uploads by the draft are POSTs, which a server must not process twice. If a process was killed before it had a record, and
always if the server does not support the protocol, the transfer fails with the reason possibly-processed. Then the round asks
the server: it removes the transfer if the server has the file, and resumes it otherwise.

At the end of a round, all transfers are completed, each file is at its destination, byte for byte, each upload is at the server
once, and nothing is beside the files and in the directory of the queue but the files of the transfers.
"""

import collections
import hashlib
import json
import pathlib
import random
import subprocess
import time

import downloads
import uploads
from downloads import Failure

KILLS = 5  # the least number of kills in a round, for which it counts
COUNT = 50
# The number of uploads that one `add` adds, by protocol and conduct of the server.
UPLOADS = {"draft": 3, "draft-plain": 3, "draft-busy": 2, "draft-cut": 2, "tus": 3, "tus-cut": 2}


class Round:
    def __init__(self, number: int, seed: int, server: downloads.Server, folder: pathlib.Path, cli: str):
        self.generator = random.Random(f"{seed}/{number}/queue")
        self.number, self.cli, self.server = number, cli, server
        self.folder = folder / f"q{number}"
        self.directory = folder / f"q{number}-state"
        self.folder.mkdir()
        self.steps, self.notes = collections.Counter(), collections.Counter()
        self.files = {}  # the downloads, by name
        self.placed = set()  # the names of downloads that were complete at a kill
        self.completed = set()  # the identifiers of transfers that were completed at a kill
        self.removed = set()  # those of uploads that the server had, although the process did not know it
        self.contents = {}  # the uploads, by name
        self.kills, self.attempt = 0, 0
        for index in range(COUNT - sum(UPLOADS.values())):
            generator = random.Random(f"{seed}/{number}/queue/{index}")
            name = f"q{number}-{index}"
            if index % 2:
                file = downloads.File(generator, generator.randint(1, 60_000), generator.uniform(0, 0.2))
            else:
                length, seconds = generator.randint(100_000, 800_000), generator.uniform(0.5, 2.5)
                file = downloads.File(generator, length, seconds, breaks=generator.random() < 0.2)
            self.files[name] = downloads.Handler.files[name] = file
        self.servers = {
            "draft": uploads.Server(),
            "tus": uploads.Server(tus=True),
        }

    def run(self) -> collections.Counter:
        try:
            self.add()
            self.go()
            self.check_end()
        finally:
            for server in self.servers.values():
                server.shutdown()
                server.server_close()
            for name in self.files:
                del downloads.Handler.files[name]
        for path in self.folder.iterdir():
            path.unlink()
        NOTES.update(self.notes)
        return self.steps

    # MARK: Commands

    def command(self, *words: str) -> str:
        """Runs a command about transfers to its end; returns its output."""
        words = [self.cli, "transfers", words[0], "--directory", str(self.directory), *words[1:]]
        process = subprocess.run(words, cwd=self.folder, capture_output=True, timeout=120)
        if process.returncode != 0:
            text = process.stderr.decode(errors="replace").strip()
            raise Failure(f"transfers {words[2]} ended with {process.returncode}: {text}")
        return process.stdout.decode()

    def add(self):
        urls = [f"http://127.0.0.1:{self.server.server_port}/{name}" for name in self.files]
        half = len(urls) // 2
        ids = self.command("add", *urls[:half]).split()
        ids += self.command("add", "--priority", "high", *urls[half:]).split()
        for kind, count in UPLOADS.items():
            protocol, _, conduct = kind.partition("-")
            names = []
            for index in range(count):
                name = f"{kind}-{index}"
                content = self.generator.randbytes(self.generator.randint(20_000, 250_000))
                (self.folder / name).write_bytes(content)
                self.contents[name] = content
                names += ["--upload", name]
            if conduct == "cut":
                # So few cuts that the attempts that `run` may make are enough for the longest file.
                conduct = f"cut-{self.generator.randint(5_000, 120_000)}"
            port = self.servers[protocol].server_address[1]
            target = f"http://127.0.0.1:{port}/{conduct or 'steady'}/{self.number}"
            ids += self.command("add", target, "--protocol", protocol, "-X", "POST", *names).split()
        if len(set(ids)) != COUNT:
            raise Failure(f"{len(set(ids))} transfers were added, not {COUNT}")

    def read_rows(self) -> dict[int, dict]:
        rows = [json.loads(line) for line in self.command("list", "--json").splitlines()]
        return {row["id"]: row for row in rows}

    def start(self) -> subprocess.Popen:
        self.attempt += 1
        for file in self.files.values():
            with file.lock:
                file.attempt = self.attempt
                file.ranges.clear()
                file.is_asked.clear()
                file.is_last_sent.clear()
        return subprocess.Popen(
            [self.cli, "transfers", "run", "--directory", str(self.directory), "--quiet", "--retry", "100", "--retry-delay",
             "0.05", "--concurrent", "10", "--concurrent-per-host", "5", "--header", f"X-Attempt: {self.attempt}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def go(self):
        """Runs the queue until all transfers have ended."""
        kills = self.generator.randint(KILLS, KILLS + 4)
        for _ in range(kills + 20):
            known = {name: downloads.recorded(self.folder / name, file) for name, file in self.files.items()}
            process = self.start()
            if self.kills < kills:
                self.kill(process)
            _, text = process.communicate(timeout=120)
            self.check_requests(known)
            rows = self.check_files()
            if process.returncode == 0:
                return
            if process.returncode == -9:
                self.kills += 1
                self.count(rows)
            elif not any(row["state"] == "failed" for row in rows.values()):
                raise Failure(f"the process ended with {process.returncode}: {text.decode(errors='replace').strip()}")
            self.settle(rows)
        raise Failure("the queue did not end")

    def kill(self, process: subprocess.Popen):
        """Kills the process at a random moment."""
        if self.generator.random() < 0.1:
            time.sleep(self.generator.uniform(0, 0.3))
        else:
            self.wait_for_request(process)
            if self.generator.random() < 0.4:
                # The last moments of a transfer have the most steps.
                self.wait_for_end(process)
                time.sleep(self.generator.uniform(0, 0.015))
            else:
                time.sleep(self.generator.uniform(0, 1.2))
        process.kill()

    def wait_for_request(self, process: subprocess.Popen):
        before = len(self.entries())
        while process.poll() is None and len(self.entries()) == before:
            if any(file.is_asked.is_set() for file in self.files.values()):
                return
            time.sleep(0.005)

    def wait_for_end(self, process: subprocess.Popen):
        """Waits until one more download or upload is complete at its server."""
        before, deadline = self.end_count(), time.monotonic() + 3
        while process.poll() is None and self.end_count() == before and time.monotonic() < deadline:
            time.sleep(0.002)

    def end_count(self) -> int:
        return sum(file.is_last_sent.is_set() for file in self.files.values()) + len(self.stored())

    # MARK: Checks

    def stored(self) -> list[str]:
        """Returns the hashes of the uploads that the servers have processed."""
        return [entry["sha256"] for entry in self.entries() if "complete" in entry or "plain" in entry]

    def entries(self) -> list[dict]:
        """Returns the logs of the servers of uploads."""
        entries = []
        for server in self.servers.values():
            with server.changed:
                entries += [entry for log in server.entries.values() for entry in log]
        return entries

    def check_requests(self, known: dict[str, int | None]):
        for name, file in self.files.items():
            if name in self.placed and file.ranges:
                raise Failure(f"{name} was complete and was requested again")
            downloads.check_requests(file, known[name])

    def check_files(self) -> dict[int, dict]:
        """Checks the files on the disk; returns the rows of the transfers."""
        rows = self.read_rows()
        for name, file in self.files.items():
            place = self.folder / name
            if place.exists():
                if place.read_bytes() != file.contents[0]:
                    raise Failure(f"{name} is at its destination and is not complete")
                self.placed.add(name)
            downloads.recorded(place, file)
        for number, row in rows.items():
            if row["state"] == "completed":
                self.completed.add(number)
                if row["direction"] == "download" and not pathlib.Path(row["file"]).exists():
                    raise Failure(f"transfer {number} is completed, and its file is missing")
            elif number in self.completed:
                raise Failure(f"transfer {number} was completed and is {row['state']}")
        return rows

    def count(self, rows: dict[int, dict]):
        """Counts the transfers that the kill has cut, by their state."""
        hashes = set(self.stored())
        for row in rows.values():
            path = pathlib.Path(row["file"])
            if row["state"] == "completed":
                continue
            if row["direction"] == "upload":
                if hashlib.sha256(self.contents[path.name]).hexdigest() in hashes:
                    self.steps["upload, processed by the server, not yet completed"] += 1
                elif (self.directory / f"{row['id']}.tern-upload").exists():
                    self.steps["upload, after a record"] += 1
            elif path.exists():
                self.steps["download, at its destination, not yet completed"] += 1
            elif path.with_name(path.name + ".tern-record").exists():
                self.steps["download, after a record"] += 1
            elif self.files[path.name].ranges:
                self.steps["download, without a record"] += 1

    def settle(self, rows: dict[int, dict]):
        """Decides about uploads that the server may have processed, as a person would: by asking the server."""
        failed = [row for row in rows.values() if row["state"] == "failed"]
        if not failed:
            return
        for server in self.servers.values():
            server.wait_for_silence(30)
        hashes = set(self.stored())
        for row in failed:
            if row.get("reason") != "possibly-processed":
                raise Failure(f"transfer {row['id']} failed: {row.get('message')}")
            name = pathlib.Path(row["file"]).name
            if hashlib.sha256(self.contents[name]).hexdigest() in hashes:
                self.command("remove", str(row["id"]))
                self.removed.add(row["id"])
                self.steps["upload, possibly processed: the server has it, so it was removed"] += 1
            else:
                self.command("resume", str(row["id"]))
                self.steps["upload, possibly processed: the server does not have it, so it was resumed"] += 1

    def check_end(self):
        rows = self.read_rows()
        if len(rows) != COUNT - len(self.removed):
            raise Failure(f"{len(rows)} transfers are left, and {len(self.removed)} were removed")
        if any(row["state"] != "completed" for row in rows.values()):
            raise Failure(f"not completed: {[row for row in rows.values() if row['state'] != 'completed']}")
        if set(self.files) != self.placed:
            raise Failure(f"not at their destinations: {sorted(set(self.files) - self.placed)}")
        counts = collections.Counter(self.stored())
        for name, content in self.contents.items():
            if counts.pop(hashlib.sha256(content).hexdigest(), 0) != 1:
                raise Failure(f"the server does not have {name} exactly once")
        if counts:
            raise Failure(f"the servers have processed {len(counts)} other files")
        names = sorted(path.name for path in self.folder.iterdir())
        if names != sorted([*self.files, *self.contents]):
            raise Failure(f"beside the files: {sorted(set(names) - set(self.files) - set(self.contents))}")
        left = [path.name for path in self.directory.iterdir()]
        if any(not name.endswith(".tern-transfer") for name in left if name[0].isdigit()) or any("-new" in name for name in left):
            raise Failure(f"in the directory of the queue: {sorted(left)}")
        served = sum(file.served for file in self.files.values())
        total = sum(file.length for file in self.files.values())
        self.notes["kills"] += self.kills
        self.notes["served"] += served
        self.notes["twice"] += served - total


NOTES = collections.Counter()


def summary(count: int) -> str:
    """Returns a line about all rounds, in which `count` transfers were cut."""
    served, twice = NOTES["served"] / 1e6, NOTES["twice"] / 1e6
    return f"{NOTES['kills']} processes killed, {count} transfers cut, {twice:.1f} of {served:.1f} MB downloaded again"


def start() -> downloads.Server:
    """Starts the server of the downloads of all rounds."""
    return downloads.start()
