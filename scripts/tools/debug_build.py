# SPDX-License-Identifier: Apache-2.0
"""Reads what `scripts/build --build-tests` has left in .build: how Swift Package Manager compiled each module, and how it
linked the tests. For scripts that compile the modules of this package in another way, and link all others as they are.
"""

import json
import pathlib
import re
from collections.abc import Iterable


class Failure(Exception):
    """What a script has found, in words."""


class DebugBuild:
    """A debug build in its folder, such as .build."""

    def __init__(self, folder: pathlib.Path):
        manifest = folder / "debug.yaml"
        if not manifest.exists():
            raise Failure("error: there is no debug build; run scripts/build --build-tests")
        self.manifest = manifest.read_text()

    def modules(self) -> dict[str, tuple[list[str], list[str]]]:
        """The modules in Swift: for each, the files that the build reads, and the command with its arguments."""
        pattern = r'^  "C\.(\w+)-[^"]*-debug\.module":\n(.*?)(?=^  "|\Z)'
        commands = re.findall(pattern, self.manifest, re.S | re.M)
        return {name: (entry(command, "inputs"), entry(command, "args")) for name, command in commands}

    def link(self, program: pathlib.Path, objects: Iterable[str], replaced: set[str]) -> tuple[list[str], list[str]]:
        """A command that links a program of tests, and the objects that it links.

        It links what SwiftPM links, with the given objects in place of those of the replaced modules. Writes the list of
        objects beside the program, because the command reads it.
        """
        kept = [
            path
            for argument in self.link_arguments()
            if argument.startswith("@")
            for path in objects_in(pathlib.Path(argument[1:]), replaced)
        ]
        linked = [*objects, *kept]
        return self.link_objects(program, linked), linked

    def objects_below(self, target: str) -> list[str]:
        """The objects of a target and of all modules that it needs, in Swift and in C; the build may not have made them yet."""
        modules, found, waiting, seen = self.modules(), {}, [target], {target}
        while waiting:
            name = waiting.pop()
            if name not in modules:
                raise Failure(f"error: no target is called {name}")
            outputs = re.search(rf'^  "<{name}-[^"]*-debug\.module>":\n(.*?)(?=^  "|\Z)', self.manifest, re.S | re.M)
            for path in [*modules[name][0], *entry(outputs[1], "inputs")]:
                if path.endswith(".o"):
                    found[path] = None
                elif path.endswith(".swiftmodule") and (below := pathlib.Path(path).stem) not in seen:
                    seen.add(below)
                    waiting.append(below)
        return list(found)

    def link_objects(self, program: pathlib.Path, objects: Iterable[str]) -> list[str]:
        """A command that links a program of these objects, with the libraries of the tests."""
        libraries: list[str] = []
        arguments = self.link_arguments()
        for index, argument in enumerate(arguments):
            if argument in ("-L", "-Xlinker"):
                libraries += arguments[index : index + 2]
            elif re.match("-[lL].", argument):
                libraries.append(argument)
        response = program.with_name(f"{program.name}.objects")
        response.write_text("".join(f'"{path}"\n' for path in objects))
        return ["swiftc", "-emit-executable", "-use-ld=lld", "-o", str(program), *libraries, f"@{response}"]

    def link_arguments(self) -> list[str]:
        """The arguments of the command that links the tests."""
        command = re.search(r'^    args: (\[.*/ternPackageTests\.product/Objects\.LinkFileList".*\])$', self.manifest, re.M)
        if command is None:
            raise Failure("error: the debug build does not link the tests; run scripts/build --build-tests")
        return json.loads(command[1])


def entry(command: str, key: str) -> list[str]:
    """A list of a command in the manifest of a build."""
    return json.loads(re.search(rf"^    {key}: (.*)$", command, re.M)[1])


def objects_in(file: pathlib.Path, without: set[str]) -> list[str]:
    """The objects that a list names, without those of some modules."""
    folders = {f"{name}.build" for name in without}
    paths = [line.strip("'") for line in file.read_text().split("\n") if line]  # a path with a space is in quotes
    return [path for path in paths if not folders & set(path.split("/"))]
