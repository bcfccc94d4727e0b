# SPDX-License-Identifier: Apache-2.0
"""Builds test targets for the thread sanitizer, for scripts/test-threads: `build.py FOLDER TARGET…`.

Only modules of this package are instrumented, and only those that the targets need. Other dependencies are linked as
SwiftPM has built them in .build/debug. The result is FOLDER/run, a program with the options of Swift Testing.

With --walk before the targets, the result is FOLDER/walk, the program of scripts/walk.

Two commands build a module: one writes its interface, and one its code. Modules that import it wait only for the interface.
A command runs again if its arguments, a source, the interface of a dependency or Package.resolved has changed. If a change
of sources does not change the interface, the compiler does not write the interface again.
"""

import concurrent.futures
import glob
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

root = os.getcwd()
work, wanted = sys.argv[1], sys.argv[2:]
is_walk = wanted[0] == "--walk"
wanted = wanted[is_walk:]
debug = ".build/debug"
sys.path.append("scripts/tools")

from debug_build import DebugBuild  # noqa: E402 (the path comes first)


def fail(message):
    sys.exit(f"error: {message}")


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def is_newer(file, inputs):
    """Whether the file exists, and no input has changed since it was written."""
    if not os.path.exists(file):
        return False
    then = os.stat(file).st_mtime_ns
    return all(os.stat(path).st_mtime_ns <= then for path in inputs)


def describe():
    """The description of the package by SwiftPM, read again only after a change of the manifest or of the list of files."""
    file = f"{work}/package.json"
    folders = [path for top in ("Sources", "Tests") for path, _, _ in os.walk(top) if "ThreadSanitizer" not in path]
    if not is_newer(file, ["Package.swift", *folders]):
        # Only reads, so it does not wait for the tests that run beside it.
        text = output("swift", "package", "--ignore-lock", "describe", "--type", "json")
        with open(file, "w") as stream:
            stream.write(text)
    with open(file) as stream:
        return {target["name"]: target for target in json.load(stream)["targets"]}


def features():
    """The upcoming features that Package.swift enables, and the targets that do not enable one of them."""
    with open("Package.swift") as stream:
        text = stream.read()
    found = dict.fromkeys(re.findall(r'\.enableUpcomingFeature\("(\w+)"\)', text), ())
    apart = re.search(r'let metByApps = (\[[^]]*\])', text)
    if apart is None or "NonisolatedNonsendingByDefault" not in found:
        fail("Package.swift names its upcoming features in another form than Tests/ThreadSanitizer/build.py reads")
    found["NonisolatedNonsendingByDefault"] = re.findall(r'"(\w+)"', apart[1])
    return found


def traits():
    """The enabled traits, each as a compilation condition."""
    with open("Package.swift") as stream:
        names = re.search(r"\.default\(enabledTraits: (\[.*\])\)", stream.read())
    return [option for name in json.loads(names[1]) for option in ("-D", name)]


def settings(name):
    """The compiler's options that Package.swift gives to a target."""
    named = [feature for feature, without in upcoming.items() if name not in without]
    return [option for feature in named for option in ("-enable-upcoming-feature", feature)]


os.makedirs(work, exist_ok=True)
targets = describe()
for name in wanted:
    if name not in targets:
        fail(f"no target {name}")

needed = {}  # each target after its dependencies


def need(name):
    target = targets[name]
    if name in needed or target["module_type"] != "SwiftTarget":
        return
    needed[name] = None
    for dependency in target.get("target_dependencies", []):
        need(dependency)
    del needed[name]
    needed[name] = target


for name in wanted:
    need(name)

if not os.path.exists(f"{debug}/ternPackageTests.product/Objects.LinkFileList") or not os.path.exists(f"{debug}/Modules"):
    subprocess.run(["scripts/build", "--build-tests"], check=True)

compiler = output("swiftc", "--version")
upcoming = features()
pins = [path for path in ["Package.resolved"] if os.path.exists(path)]
plain = [
    *("-Onone", "-gline-tables-only", "-enable-testing", "-swift-version", "6"),
    *("-package-name", "tern", "-suppress-warnings", "-D", "DEBUG", "-D", "SWIFT_PACKAGE"),
    *traits(),
    *("-module-cache-path", f"{work}/cache", "-I", work),
    *output("scripts/tools/module-flags").split("\n")[:-1],
]
options = ["-sanitize=thread", *plain]


def dependencies(name):
    """All targets of this package that a target imports, directly or indirectly."""
    found, waiting = set(), [name]
    while waiting:
        for dependency in needed[waiting.pop()].get("target_dependencies", []):
            if dependency in needed and dependency not in found:
                found.add(dependency)
                waiting.append(dependency)
    return found


def stamp(result, command):
    """The file whose time says when a command last ran to its end. Each command has a separate file."""
    key = hashlib.sha256("\0".join([compiler, *command]).encode()).hexdigest()[:16]
    return f"{result}.{key}.stamp"


def run(target, step, result, command):
    start = time.time()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        raise RuntimeError(f"{step} {target}")
    print(f"test-threads: {step} {target}, {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    for old in glob.glob(f"{result}.*.stamp"):
        os.remove(old)
    file = stamp(result, command)
    with open(file, "w"):
        pass
    os.utime(file, (start, start))  # files that changed during the run are newer


def steps(name):
    """The commands of a module, each with its dependencies, its result, its inputs and its command line."""
    target = needed[name]
    sources = [os.path.join(root, target["path"], source) for source in target["sources"]]
    interfaces = [f"{work}/{dependency}.swiftmodule" for dependency in sorted(dependencies(name))]
    inputs = [*sources, *interfaces, *pins]
    kind = ["-parse-as-library"]
    if target["type"] == "executable":  # the tests link it beside their own program
        kind = ["-Xfrontend", "-entry-point-function-name", "-Xfrontend", f"{name}_main"]
        if not any(os.path.basename(source) == "main.swift" for source in sources):
            kind.append("-parse-as-library")
    base = ["swiftc", *options, *settings(name), *kind, "-module-name", target["c99name"], *sources]
    interface, code = f"{work}/{name}.swiftmodule", f"{work}/{name}.o"
    skip = ["-Xfrontend", "-experimental-skip-non-inlinable-function-bodies"]
    if target["type"] != "test":  # no target imports tests
        yield interface, interfaces, inputs, [*base, *skip, "-wmo", "-emit-module", "-emit-module-path", interface]
    yield code, interfaces, inputs, [*base, "-wmo", "-c", "-o", code]


def build():
    plan = {}
    for name in needed:
        for result, after, inputs, command in steps(name):
            plan[result] = (name, after, inputs, command)
    done, running = set(), {}
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        while plan or running:
            # Commands that other commands wait for come first.
            ready = [result for result in plan if all(path in done for path in plan[result][1])]
            ready.sort(key=lambda result: not result.endswith(".swiftmodule"))
            for result in ready[: os.cpu_count() - len(running)]:
                name, _, inputs, command = plan.pop(result)
                if is_newer(stamp(result, command), inputs):
                    done.add(result)
                    continue
                step = "interface of" if result.endswith(".swiftmodule") else "code of"
                running[pool.submit(run, name, step, result, command)] = result
            if running:
                ended, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in ended:
                    result = running.pop(future)
                    if future.exception():
                        fail(f"could not build {result}")
                    done.add(result)


def assemble(source, result):
    command = ["clang", "-O2", "-Wall", "-Wextra", "-Werror", "-c", "-o", result, source]
    if not is_newer(stamp(result, command), [source]):
        run(os.path.basename(source), "code of", result, command)


def linking(program, more):
    """The command that links a program with the modules, an object file and the other packages, and all its object files."""
    replaced = {*targets, "ternPackageDiscoveredTests", "ternPackageTests"}
    ours = [*(f"{work}/{name}.o" for name in needed), more]
    return DebugBuild(pathlib.Path(".build")).link(pathlib.Path(program), ours, replaced)


def link_walk():
    program, recorder, here = f"{work}/walk", f"{work}/recorder.o", "Tests/Walk"
    assemble(f"{here}/recorder.c", recorder)
    command, linked = linking(program, recorder)
    command += [
        *(*plain, "-parse-as-library", "-module-name", "Walk", "-import-objc-header", f"{here}/recorder.h"),
        *(f"{here}/Walk.swift", "-Xlinker", "--export-dynamic"),
    ]
    if not is_newer(stamp(program, command), [*linked, f"{here}/Walk.swift", f"{here}/recorder.h"]):
        run("the program", "linking", program, command)


def link():
    program, runtime, here = f"{work}/run", f"{work}/runtime.o", os.path.dirname(__file__)
    swift = [f"{here}/Runner.swift", f"{here}/Proof.swift"]
    assemble(f"{here}/runtime.c", runtime)
    command, linked = linking(program, runtime)
    command += [
        *(*options, *settings("Runner"), "-parse-as-library", "-module-name", "Runner", *swift),
        *("-Xlinker", "--export-dynamic", "-Xlinker", "--wrap=__tsan_external_write"),
    ]
    if is_newer(stamp(program, [*command, *linked]), [*linked, *swift]):
        return
    run("the program", "linking", program, command)
    # The addresses of the functions that are generic over a random number generator; runtime.c says why.
    symbols = [line.split(" ") for line in output("nm", "-S", "--defined-only", program).split("\n") if "SGR" in line]
    with open(f"{program}.generators", "w") as stream:
        stream.writelines(f"{symbol[0]} {symbol[1]}\n" for symbol in symbols if len(symbol) == 4)
    os.rename(stamp(program, command), stamp(program, [*command, *linked]))


build()
if is_walk:
    link_walk()
else:
    link()
