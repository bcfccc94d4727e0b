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
        command = re.search(r'^    args: (\[.*/ternPackageTests\.product/Objects\.LinkFileList".*\])$', self.manifest, re.M)
        if command is None:
            raise Failure("error: the debug build does not link the tests; run scripts/build --build-tests")
        arguments = json.loads(command[1])
        libraries: list[str] = []
        kept: list[str] = []
        for index, argument in enumerate(arguments):
            if argument.startswith("@"):
                kept += objects_in(pathlib.Path(argument[1:]), replaced)
            elif argument in ("-L", "-Xlinker"):
                libraries += arguments[index : index + 2]
            elif re.match("-[lL].", argument):
                libraries.append(argument)
        linked = [*objects, *kept]
        response = program.with_name(f"{program.name}.objects")
        response.write_text("".join(f'"{path}"\n' for path in linked))
        return ["swiftc", "-emit-executable", "-use-ld=lld", "-o", str(program), *libraries, f"@{response}"], linked


def entry(command: str, key: str) -> list[str]:
    """A list of a command in the manifest of a build."""
    return json.loads(re.search(rf"^    {key}: (.*)$", command, re.M)[1])


def objects_in(file: pathlib.Path, without: set[str]) -> list[str]:
    """The objects that a list names, without those of some modules."""
    folders = {f"{name}.build" for name in without}
    paths = [line.strip("'") for line in file.read_text().split("\n") if line]  # a path with a space is in quotes
    return [path for path in paths if not folders & set(path.split("/"))]
