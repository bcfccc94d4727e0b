# SPDX-License-Identifier: Apache-2.0
"""Replaces the macros of the testing library, because their expansions take four fifths of the time that tests compile.

An expansion is the same on all platforms, and the debug build has compiled it. So for a check it is enough to compile what
each macro takes: `#expect(…)` and `#require(…)` become calls of functions, and so do the arguments of `@Test(…)`, in a
property of their own. Traits of suites are left out.
"""

import itertools
import re

from debug_build import Failure

MACRO = re.compile(r"#(expect|require)\((?!\s*(?:throws|processExitsWith):)|^( *)@(Test|Suite)\b", re.M)
STRING = re.compile(r'(#*)("""(?=\n)|")')


def replaced(text: str, numbers: itertools.count) -> str:
    """A source without macros, line for line. `numbers` gives each property a name."""
    result: list[str] = []
    position = 0
    while found := MACRO.search(text, position):
        result.append(text[position : found.start()])
        position = found.end()
        function, indentation, attribute = found.groups()
        if function:
            result.append(f"{function}Checked(")
            continue
        result.append(indentation)
        if not text.startswith("(", position):
            continue
        end = after(text, position)
        if attribute == "Test":
            kind = "static var" if indentation else "var"
            result.append(f"{kind} test{next(numbers)}: Void {{ testChecked{text[position:end]} }};")
        else:
            result.append("\n" * text.count("\n", position, end))
        position = end
    return "".join(result) + text[position:]


def after(text: str, position: int) -> int:
    """The position after the parenthesis that closes the one at a position."""
    depth = 0
    while True:
        character = text[position]
        if string := STRING.match(text, position):
            position = after_string(text, string)
            continue
        if text.startswith("//", position):
            position = text.index("\n", position)
            continue
        position += 1
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth == 0:
                return position


def after_string(text: str, opening: re.Match[str]) -> int:
    """The position after a literal of a string."""
    hashes, quotes = opening.groups()
    position = opening.end()
    while not text.startswith(quotes + hashes, position):
        if position >= len(text):
            raise Failure(f"error: Tests/AppleShape/macros.py finds no end of the string {text[opening.start() :][:40]}")
        if not text.startswith("\\" + hashes, position):
            position += 1
            continue
        position += 1 + len(hashes)
        position = after(text, position) if text[position] == "(" else position + 1
    return position + len(quotes + hashes)
