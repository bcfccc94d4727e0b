# SPDX-License-Identifier: Apache-2.0
"""Finds uses of declarations of Swift's library that are newer than the oldest macOS of Package.swift.

On Linux, the compiler ignores since which version of macOS a declaration is there. But it writes that version into the symbol
graph of the library, and a debug build records in its index which declarations each source uses, and where. This reads both,
the index with libIndexStore of the toolchain. So it does not know lines that are for Apple platforms only, nor the versions of
Foundation, because Linux's Foundation does not have those of Apple's, nor those of conformances.
"""

import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess

MODULES = ("Swift", "_Concurrency", "Synchronization", "_StringProcessing")


def newer_declarations(manifest: pathlib.Path, folder: pathlib.Path, compiler: str) -> dict[str, str]:
    """The declarations that are newer than the oldest macOS: for the identifier of each, its name and its version.

    Reading symbol graphs takes some seconds, so the result is stored in the folder.
    """
    oldest = [int(part or 0) for part in re.search(r"\.macOS\(\.v(\d+)(?:_(\d+))?\)", manifest.read_text()).groups()]
    store = folder / "newer-declarations.json"
    key = f"{compiler} {oldest}"
    if store.exists() and (stored := json.loads(store.read_text()))["key"] == key:
        return stored["declarations"]
    graphs = folder / "symbol-graphs"
    graphs.mkdir(parents=True, exist_ok=True)
    target = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]["triple"]
    for name in MODULES:
        subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", name, "-target", target, "-output-dir", graphs]
            + ["-minimum-access-level", "public", "-skip-inherited-docs"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    declarations = {}
    for graph in graphs.glob("*.symbols.json"):
        for symbol in json.loads(graph.read_text())["symbols"]:
            for since in (each["introduced"] for each in symbol.get("availability", []) if is_of_macos(each)):
                version = [since["major"], since.get("minor", 0)]
                if version > oldest:
                    name = ".".join(symbol["pathComponents"])
                    declarations[symbol["identifier"]["precise"]] = f"{name} needs macOS {version[0]}.{version[1]}"
    shutil.rmtree(graphs)
    store.write_text(json.dumps({"key": key, "declarations": declarations}))
    return declarations


def is_of_macos(availability: dict) -> bool:
    return availability.get("domain") == "macOS" and "introduced" in availability


class Text(ctypes.Structure):
    """A text of libIndexStore."""

    _fields_ = [("bytes", ctypes.POINTER(ctypes.c_char)), ("count", ctypes.c_size_t)]

    def __str__(self) -> str:
        return ctypes.string_at(self.bytes, self.count).decode()


class Index:
    """The index of a build, which libIndexStore reads."""

    RESULTS = {
        "store_create": ctypes.c_void_p,
        "unit_reader_create": ctypes.c_void_p,
        "unit_dependency_get_name": Text,
        "unit_dependency_get_filepath": Text,
        "record_reader_create": ctypes.c_void_p,
        "occurrence_get_symbol": ctypes.c_void_p,
        "symbol_get_usr": Text,
    }
    RECORD = 2  # of indexstore_unit_dependency_kind_t

    def __init__(self, store: pathlib.Path):
        toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
        self.library = ctypes.CDLL(str(toolchain / "lib" / "libIndexStore.so"))
        for name, result in self.RESULTS.items():
            getattr(self.library, f"indexstore_{name}").restype = result
        self.store = store
        self.handle = self.call("store_create", os.fsencode(store), None)

    def call(self, name: str, *arguments):
        # Unless it is told, Python passes an address as a number of 32 bits.
        arguments = [ctypes.c_void_p(each) if isinstance(each, int) else each for each in arguments]
        return getattr(self.library, f"indexstore_{name}")(*arguments)

    def each(self, name: str, kind: type, body, *arguments) -> None:
        """Calls a closure with each item that a function of the library finds."""
        applier = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, kind)
        self.call(name, *arguments, None, applier(lambda _, item: (body(item), True)[1]))

    def records(self) -> dict[str, pathlib.Path]:
        """The records of the last build, each with what the compiler found in one source, and the source of each."""
        found: dict[str, pathlib.Path] = {}
        names: list[str] = []
        self.each("store_units_apply_f", Text, lambda name: names.append(str(name)), self.handle, ctypes.c_uint(0))

        def add(dependency: int) -> None:
            if self.call("unit_dependency_get_kind", dependency) == self.RECORD:
                path = pathlib.Path(str(self.call("unit_dependency_get_filepath", dependency)))
                found[str(self.call("unit_dependency_get_name", dependency))] = path

        for name in names:
            if unit := self.call("unit_reader_create", self.handle, name.encode(), None):
                self.each("unit_reader_dependencies_apply_f", ctypes.c_void_p, add, unit)
                self.call("unit_reader_dispose", unit)
        return found

    def uses(self, identifiers: set[str]) -> set[tuple[pathlib.Path, int, str]]:
        """The uses of declarations: for each the source, the line and the identifier."""
        pattern = re.compile(b"|".join(re.escape(each.encode()) for each in identifiers))
        result = set()
        for record, path in self.records().items():
            if not pattern.search((self.store / "v5" / "records" / record[-2:] / record).read_bytes()):
                continue

            def add(occurrence: int) -> None:
                identifier = str(self.call("symbol_get_usr", self.call("occurrence_get_symbol", occurrence)))
                if identifier in identifiers:
                    line, column = ctypes.c_uint(), ctypes.c_uint()
                    self.call("occurrence_get_line_col", occurrence, ctypes.byref(line), ctypes.byref(column))
                    result.add((path, line.value, identifier))

            reader = self.call("record_reader_create", self.handle, record.encode(), None)
            self.each("record_reader_occurrences_apply_f", ctypes.c_void_p, add, reader)
            self.call("record_reader_dispose", reader)
        return result


def is_guarded(lines: list[str], number: int) -> bool:
    """Whether a line is inside of a block, or behind a `guard`, that asks for the version of the system."""
    blocks = [False]
    for line in lines[:number]:
        code = re.sub(r'"(?:[^"\\]|\\.)*"|//.*', "", line)
        asks = "#available" in code or "@available" in code
        for character in code:
            if character == "{":
                blocks.append(blocks[-1] or asks)
            elif character == "}" and len(blocks) > 1:
                blocks.pop()
        if asks and re.search(r"\bguard\b", code):
            blocks[-1] = True
    return blocks[-1]
