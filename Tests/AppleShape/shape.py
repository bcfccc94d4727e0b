# SPDX-License-Identifier: Apache-2.0
"""The shape that the package has on an Apple platform, for scripts/check apple and Tests/AppleShape/build.py.

Takes the modules of a debug build of Linux. Each platform condition, such as `#if canImport(Darwin)`, is answered as on an
Apple platform, and each import of Foundation or CoreFoundation is replaced by one of AppleFoundation. Modules that Linux lacks
are in the folders here.
"""

import itertools
import pathlib
import re
import sys
from collections.abc import Iterable
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STAND_INS = ROOT / "Tests" / "AppleShape"
PROOF = STAND_INS / "Proof"  # sources that must not compile
EXPECTATIONS = STAND_INS / "Expectations"  # what macros.py puts in place of macros
OUT = ROOT / ".build" / "apple"
sys.path.append(str(ROOT / "scripts" / "tools"))

import macros  # noqa: E402 (the path comes first)
from debug_build import DebugBuild, Failure  # noqa: E402

# The conditions on Apple platforms; of those, macOS has the most code.
ANSWERS = {
    "os(Android)": False,
    "os(Linux)": False,
    "os(macOS)": True,
    "canImport(Android)": False,
    "canImport(CNIOLinux)": True,  # the modules of swift-nio are Linux's
    "canImport(Combine)": True,
    "canImport(Darwin)": True,
    "canImport(FoundationEssentials)": False,
    "canImport(FoundationNetworking)": False,
    "canImport(Glibc)": False,
    "canImport(Musl)": False,
    "canImport(Security)": True,
    "canImport(SwiftUI)": True,
}
CONDITION = re.compile(r"\s*#(if|elseif|else|endif)\b([^/]*)")
QUESTION = re.compile(r"\w+\s*\([^)]*\)|\w+")
FOUNDATION = re.compile(
    r"^(\s*(?:@\w+ +)*(?:\w+ +)?import +(?:(?:struct|class|enum|func|var|protocol|typealias) +)?)(?:Core)?Foundation\b"
)
IMPORT = re.compile(r"^\s*(?:@\w+ +)*(?:\w+ +)?import +(?:(?:struct|class|enum|func|var|protocol|typealias) +)?(\w+)", re.M)

# Modules of dependencies that re-export the C library of Linux. A source with an import of one of these gets single imports of
# what it uses of Darwin, which the compiler prefers. There, it does not miss an import of Darwin.
LEAKS = {"CNIOLinux", "NIOPosix"}
# Functions that they call with `nil`, which fits those of both; the copies name the module.
AMBIGUOUS = re.compile(r"(?<![\w.`])(?<!func )(accept|fflush)\(")

# The options of the debug build that do not fit a compilation of modules without object files, alone and with a value.
ALONE = re.compile(
    r"@.*|-j\d+|-c|-incremental|-whole-module-optimization|-no-emit-module-separately-wmo|-enable-batch-mode|-parseable-output"
    r"|-serialize-diagnostics|-emit-(dependencies|module|objc-header)"
)
PAIRED = re.compile(
    r"-module-name|-output-file-map|-index-store-path|-num-threads|-emit-(module|objc-header)-path"
)  # fmt: skip

# A public declaration of a stand-in, or a type that it re-exports.
DECLARATION = re.compile(
    r"^ *(?:@\w+ +)*public +(?:final +)?(func|var|struct|class|enum|typealias|import +(?:class|struct|enum|protocol))"
    r" +(?:\w+\.)?(\w+)",
    re.M,
)
WORD = re.compile(r"\w+")


class Source(NamedTuple):
    """A source file."""

    path: pathlib.Path  # in the package
    text: str  # as an Apple platform has it, line for line
    is_changed: bool  # whether that differs from the file

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def copy(self) -> str:
        """The text for a file in another place. The compiler, and `#filePath`, name the file in the package."""
        return f'#sourceLocation(file: "{self.path}", line: 1)\n{self.text}'

    @staticmethod
    def plain(path: pathlib.Path) -> "Source":
        """A source that is only for Linux, such as a stand-in."""
        return Source(path, path.read_text(), False)


class Module(NamedTuple):
    """A module to compile."""

    name: str
    options: list[str]
    sources: list[Source]
    needs: set[str]  # the modules to compile before
    others: list[pathlib.Path]  # the modules of dependencies

    @property
    def is_test(self) -> bool:
        return self.name.endswith("Tests")


def shaped(path: pathlib.Path, defined: set[str], darwin: list[tuple[str, str]]) -> Source:
    """A source as an Apple platform has it: the lines that are inactive there, and those with the conditions, are empty.

    Also takes the names that the build defines, and the declarations of Darwin, each with its kind.
    """
    text = path.read_text()
    lines, levels = [], []  # for each open condition: whether its branch is active, and whether one has been
    is_string = False
    for number, line in enumerate(text.split("\n"), 1):
        match = None if is_string else CONDITION.match(line)
        if line.count('"""') % 2:
            is_string = not is_string
        if not match:
            lines.append(FOUNDATION.sub(r"\1AppleFoundation", line) if all(is_active for is_active, _ in levels) else "")
            continue
        word, condition = match.groups()

        def answer(question: re.Match[str]) -> str:
            name = re.sub(r"\s", "", question[0])
            if "(" in name and name not in ANSWERS:
                raise Failure(f"{path.relative_to(ROOT)}:{number}: error: Tests/AppleShape/shape.py has no answer to {name}")
            return str(ANSWERS.get(name, name in defined))

        if word in ("if", "elseif"):
            words = QUESTION.sub(answer, condition).replace("&&", " and ").replace("||", " or ").replace("!", " not ")
            holds = eval(words.strip())  # of the words True, False, and, or, not, and parentheses
        if word == "if":
            levels.append((holds, holds))
        elif word == "elseif":
            levels[-1] = (holds and not levels[-1][1], holds or levels[-1][1])
        elif word == "else":
            levels[-1] = (not levels[-1][1], True)
        else:
            levels.pop()
        lines.append("")
    result = "\n".join(lines)
    imported = set(IMPORT.findall(result))
    if LEAKS & imported and {"Darwin", "AppleFoundation", "TernCLibrary", "TernFoundation"} & imported:
        used = set(WORD.findall(result))
        singles = [f"import {kind} Darwin.{name}" for kind, name in darwin if name in used]
        result = "; ".join(sorted(singles)) + AMBIGUOUS.sub(r"Darwin.\1(", result)  # in front of the comment in the first line
    return Source(path, result, result != text)


def adapted(options: list[str], build: pathlib.Path) -> list[str]:
    """The options of the debug build, without those that do not fit."""
    result = []
    index = 1  # after the name of the compiler
    while index < len(options):
        option = options[index]
        if PAIRED.fullmatch(option) or option == "-module-cache-path" and not build.is_relative_to(ROOT):
            index += 2
        else:
            if not ALONE.fullmatch(option):
                result.append(option)
            index += 1
    if not build.is_relative_to(ROOT):
        result += ["-module-cache-path", str(OUT / "ModuleCache")]
    return result


def package_modules(build: pathlib.Path) -> dict[str, Module]:
    """The modules of the package, as its debug build compiled them."""
    package = build.parent
    found = {}
    for name, (inputs, options) in DebugBuild(build).modules().items():
        files = [pathlib.Path(each) for each in inputs if each.endswith(".swift")]
        if any(file.is_relative_to(package) and not file.is_relative_to(build) for file in files):
            found[name] = (inputs, options, files)
    darwin = [
        declaration
        for folder in ("Darwin", "DarwinStructures")
        for file in (STAND_INS / folder).glob("*.swift")
        for declaration in re.findall(DECLARATION.pattern.replace("^ *", "^"), file.read_text(), re.M)  # no members
    ]
    modules = {}
    for name, (inputs, options, files) in found.items():
        defined = {option[2:] for option in options if option.startswith("-D")}
        sources = [
            shaped(file if file.is_relative_to(build) else ROOT / file.relative_to(package), defined, darwin)
            for file in files
        ]
        sources += map(Source.plain, sorted((STAND_INS / name).glob("*.swift")))
        imported = {each for source in sources for each in IMPORT.findall(source.text)}
        others = [pathlib.Path(each) for each in inputs if each.endswith(".swiftmodule")]
        needs = imported | {each.stem for each in others}
        modules[name] = Module(
            name,
            adapted(options, build),
            sources,
            needs & found.keys() - {name},
            [each for each in others if each.stem not in found],
        )
    return modules


def stand_ins(modules: dict[str, Module]) -> dict[str, Module]:
    """The stand-ins, which are compiled with the options of TernPublishers, because Combine needs its dependency."""
    like = modules["TernPublishers"]
    # Imported structures do not say whether they are Sendable.
    options = [each for each in like.options if each not in ("-Werror", "ExplicitSendable")]
    folders = {each.parent.name for each in STAND_INS.glob("*/*.swift")} - modules.keys() - {PROOF.name, EXPECTATIONS.name}
    result = {}
    for name in folders:
        sources = list(map(Source.plain, sorted((STAND_INS / name).glob("*.swift"))))
        imported = {each for source in sources for each in IMPORT.findall(source.text)}
        result[name] = Module(name, options, sources, imported & folders - {name}, like.others)
    return result


def closure(names: Iterable[str], modules: dict[str, Module]) -> dict[str, Module]:
    """Some modules, with those that they need."""
    result: dict[str, Module] = {}
    rest = list(names)
    while rest:
        name = rest.pop()
        if name not in modules:
            raise Failure(f"error: there is no module {name}")
        if name not in result:
            result[name] = modules[name]
            rest += modules[name].needs
    return result


def without_macros(module: Module) -> Module:
    """A module of tests for a check, without the macros of the testing library; macros.py says why."""
    numbers = itertools.count(1)
    sources = []
    for source in module.sources:
        text = macros.replaced(source.text, numbers)
        sources.append(Source(source.path, text, source.is_changed or text != source.text))
    return module._replace(sources=sources + [Source.plain(each) for each in sorted(EXPECTATIONS.glob("*.swift"))])


def with_stand_ins(chosen: dict[str, Module], stand_ins: dict[str, Module]) -> dict[str, Module]:
    """Some modules, with the stand-ins: any source may import any of them, by way of AppleFoundation, too."""
    return stand_ins | {
        name: module._replace(needs=module.needs | stand_ins.keys()) for name, module in chosen.items()
    }
