# SPDX-License-Identifier: Apache-2.0
"""Names the sources that scripts/check apple compiles as modules of an app, against the package in the shape of an Apple platform.

Each is compiled like a module of a new project in Xcode, with isolation on the main actor by default, and like one without it.
The options are those of a user: no upcoming features, and no access to what only the package sees.
"""

import pathlib
import re
from typing import Callable

MODES = {"": [], "OnMainActor": ["-default-isolation", "MainActor"]}

# The names of the modules, and their sources. The example's other sources need its server.
APPS = {
    "IsolationApp": ["Tests/Isolation/Conformances.swift"],
    "MainActorPage": ["Documentation/Snippets/MainActor.swift"],
    "InAnAppPage": ["Documentation/Snippets/InAnApp.swift"],
}
EXAMPLE = "Examples/Sources/Albums"
SERVER = re.compile(r"^import DemoServer$", re.M)

# The options of a target of the package that are not those of an app, alone and with a value.
ALONE = {"-enable-testing"}
PAIRED = {"-package-name", "-enable-upcoming-feature", "-Werror"}

IMPORT = re.compile(r"^\s*(?:@\w+ +)*(?:\w+ +)?import +(?:(?:struct|class|enum|func|var|protocol|typealias) +)?(\w+)", re.M)


def options(of_target: list[str]) -> list[str]:
    """The options of a user's module, made from those of a target of the package."""
    result = []
    rest = iter(of_target)
    for option in rest:
        if option in PAIRED:
            next(rest)
        elif option not in ALONE:
            result.append(option)
    return result


def modules(root: pathlib.Path, package: dict, like: str, shaped: Callable) -> dict:
    """The modules of apps, for scripts/check apple.

    Takes the modules of the package, the name of one with the same dependencies, and the function that gives a source its shape.
    """
    apps = {name: [root / each for each in sources] for name, sources in APPS.items()}
    apps["AlbumsExample"] = [
        each for each in sorted((root / EXAMPLE).glob("*.swift")) if not SERVER.search(each.read_text())
    ]
    result = {}
    for name, files in apps.items():
        sources = [shaped(file) for file in files]
        needs = {each for source in sources for each in IMPORT.findall(source.text)} & package.keys()
        for mode, more in MODES.items():
            if mode or name != "AlbumsExample":  # its manifest sets the isolation
                result[name + mode] = package[like]._replace(
                    name=name + mode, options=options(package[like].options) + more, sources=sources, needs=needs
                )
                needs = needs | {name + mode}  # one after the other, because they have the same copies of the sources
    return result
