# SPDX-License-Identifier: Apache-2.0
"""Compiles modules in the shape of an Apple platform, each if it or something that it needs has changed."""

import concurrent.futures
import hashlib
import os
import pathlib
import subprocess
import time

from shape import OUT, ROOT, Module, Source

MODULES = OUT / "Modules"
OBJECTS = OUT / "Objects"


class Compiler:
    """Compiles modules: checks them, and on request makes objects, for programs that run."""

    def __init__(self, build: pathlib.Path, makes_objects: bool):
        self.build = build
        self.makes_objects = makes_objects
        self.version = subprocess.run(["swiftc", "--version"], capture_output=True, text=True, check=True).stdout
        self.keys: dict[str, str] = {}
        self.seconds: dict[str, float] = {}  # for each module that was compiled now

    def compile(self, module: Module) -> str:
        """Compiles a module, and returns what the compiler says if it fails."""
        command = ["swiftc", "-module-name", module.name, "-whole-module-optimization", "-I", str(MODULES), *module.options]
        command.append("-no-emit-module-separately-wmo")  # one run of the compiler, not two
        products = {}
        if not (self.makes_objects and module.is_test):  # nothing imports it
            products["-emit-module-path"] = MODULES / f"{module.name}.swiftmodule"
        if self.makes_objects:
            products["-o"] = OBJECTS / f"{module.name}.o"
        key = self.key(module, command)
        if not all(product.exists() and has_key(product, key) for product in products.values()):
            for option, product in products.items():
                stamp(product).unlink(missing_ok=True)
                product.parent.mkdir(parents=True, exist_ok=True)
                command += ["-c" if option == "-o" else "-emit-module", option, str(product)]
            start = time.monotonic()
            result = subprocess.run([*command, *map(self.file, module.sources)], cwd=ROOT, capture_output=True, text=True)
            if result.returncode != 0:
                return (result.stdout + result.stderr).replace(f"{ROOT}/", "")
            self.seconds[module.name] = time.monotonic() - start
            for product in products.values():
                stamp(product).write_text(key)
        self.keys[module.name] = key
        return ""

    def key(self, module: Module, command: list[str]) -> str:
        """A hash of all that a module is made of."""
        parts = [self.version, *command, *(self.keys[name] for name in sorted(module.needs))]
        for source in module.sources:
            parts += [str(source.path), source.text]
        for path in module.others:
            status = path.stat()
            parts.append(f"{path} {status.st_size} {status.st_mtime_ns}")
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def file(self, source: Source) -> pathlib.Path:
        """The file for the compiler: a copy, if the text is not that of the source."""
        if not source.is_changed:
            return source.path
        inside = self.build if source.path.is_relative_to(self.build) else ROOT
        # Another name, because two paths must not have the same `#fileID`.
        copy = (OUT / "sources" / source.path.relative_to(inside)).with_suffix(".shape.swift")
        if not copy.exists() or copy.read_text() != source.copy:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(source.copy)
        return copy


def stamp(product: pathlib.Path) -> pathlib.Path:
    """The file with the key of a product."""
    return product.with_name(f"{product.name}.key")


def has_key(product: pathlib.Path, key: str) -> bool:
    """Whether a product was made of what a key stands for."""
    return stamp(product).exists() and stamp(product).read_text() == key


def compile_all(modules: dict[str, Module], compiler: Compiler) -> list[str]:
    """Compiles modules, as many at the same time as there are processors, and returns the failures."""
    sizes = {name: sum(len(source.text) for source in module.sources) for name, module in modules.items()}
    lengths: dict[str, int] = {}  # the most text that has to be compiled one after the other, from a module on

    def length(name: str) -> int:
        if name not in lengths:
            users = [each for each, module in modules.items() if name in module.needs]
            lengths[name] = sizes[name] + max(map(length, users), default=0)
        return lengths[name]

    failures: list[str] = []
    waiting, done = sorted(modules, key=length, reverse=True), set()
    running: dict[concurrent.futures.Future[str], str] = {}
    count = len(os.sched_getaffinity(0))
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        while True:
            for name in list(waiting):
                if len(running) < count and modules[name].needs <= done:
                    running[pool.submit(compiler.compile, modules[name])] = name
                    waiting.remove(name)
            if not running:
                return failures
            for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                name = running.pop(future)
                if problem := future.result():
                    failures.append(f"{problem}error: {name} does not compile as on an Apple platform")
                else:
                    done.add(name)
