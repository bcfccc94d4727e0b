#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures httpx-sse, and reading lines with httpx, with the arguments and the output of the other peers."""

import argparse
import json
import re
import resource
import time

import httpx
import httpx_sse

# The functions below are measured. They return the number of values and of their bytes.


def events(client, url):
    number, count = 0, 0
    with httpx_sse.connect_sse(client, "GET", url) as source:
        source.response.raise_for_status()
        for event in source.iter_sse():
            number += 1
            count += len(event.data)
    return number, count


def deltas(client, url):
    number, count = 0, 0
    with httpx_sse.connect_sse(client, "GET", url) as source:
        source.response.raise_for_status()
        for event in source.iter_sse():
            number += 1
            count += len(event.json()["by"])
    return number, count


def values(client, url):
    number, count = 0, 0
    with client.stream("GET", url) as response:
        response.raise_for_status()
        for line in response.iter_lines():
            number += 1
            count += len(json.loads(line)["by"])
    return number, count


def status(name):
    """One row of the process's status, in KiB."""
    with open("/proc/self/status") as file:
        return int(re.search(rf"^{name}:\s+(\d+)", file.read(), re.M)[1])


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    cases = {"events": events, "deltas": deltas, "values": values}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", choices=cases)
    parser.add_argument("--label")
    parser.add_argument("--url", required=True)
    arguments = parser.parse_args()
    with httpx.Client(trust_env=False) as client:
        origin = re.match(r"\w+://[^/]+", arguments.url)[0]
        client.get(origin + "/small").raise_for_status()  # opens the connection
        with open("/proc/self/clear_refs", "w") as peak:
            peak.write("5")  # resets the peak to the memory that is resident now
        idle, cpu, start = status("VmRSS"), processor_seconds(), time.perf_counter()
        requests, count = cases[arguments.case](client, arguments.url)
        seconds, cpu = time.perf_counter() - start, processor_seconds() - cpu
    result = {"peer": "httpx", "case": arguments.label, "requests": requests, "bytes": count, "seconds": seconds}
    result |= {"cpuSeconds": cpu, "rssIdleKiB": idle, "rssPeakKiB": status("VmHWM")}
    print(json.dumps(result))


main()
