#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a module uses an API of Apple that needs a reason, and its privacy manifest does not name it; or the reverse.

    scripts/check privacy [FOLDER]

An app store refuses an app whose code calls certain functions, such as fstat, unless a privacy manifest (PrivacyInfo.xcprivacy)
gives a permitted reason. The tables below follow Apple's page "Describing use of required reason API". FOLDER is that of the
package; the default is this one.

A use counts if an app for iOS, iPadOS, tvOS, visionOS or watchOS would contain it: not in a comment or a string, not in lines
for Linux or only for macOS, where no reason is needed, and not in an executable, because no app contains tern-cli. Where a
condition has no answer here, the lines count. The names of functions count also without a call. `stat` and its kin are also
names of structures: `stat()` and a mention as a type do not count.

The check also fails

- for a category in a manifest without a use, for one that is listed twice, for an unknown reason, and for an unknown key;
- for a manifest that says more than Tern does: it tracks no one, and collects no data;
- for a manifest that Package.swift does not copy into the product, and for a target in that list without a manifest.

Before it reads the sources, it proves on a few lines that it finds each of these.
"""

import itertools
import pathlib
import plistlib
import re
import sys
import tempfile

import swift_code

NAME = "PrivacyInfo.xcprivacy"
PREFIX = "NSPrivacyAccessedAPICategory"
KEYS = {"NSPrivacyTracking": False, "NSPrivacyTrackingDomains": [], "NSPrivacyCollectedDataTypes": []}
TYPES, TYPE, REASONS = "NSPrivacyAccessedAPITypes", "NSPrivacyAccessedAPIType", "NSPrivacyAccessedAPITypeReasons"

# The permitted reasons of each category.
PERMITTED = {
    "FileTimestamp": {"DDA9.1", "C617.1", "3B52.1", "0A2A.1"},
    "SystemBootTime": {"35F9.1", "8FFB.1", "3D61.1"},
    "DiskSpace": {"85F4.1", "E174.1", "7D9E.1", "B728.1"},
    "ActiveKeyboards": {"3EC4.1", "54BD.1"},
    "UserDefaults": {"CA92.1", "1C8F.1", "C56D.1", "AC6B.1"},
}

# The APIs of each category. Where a name is in two of them, a manifest names the one that fits.
FUNCTIONS = {
    "FileTimestamp": "getattrlist getattrlistbulk fgetattrlist getattrlistat stat fstat fstatat lstat",
    "SystemBootTime": "mach_absolute_time",
    "DiskSpace": "statfs statvfs fstatfs fstatvfs getattrlist fgetattrlist getattrlistat",
}
MEMBERS = {  # of types that have no other use for the name
    "FileTimestamp": "fileModificationDate contentModificationDateKey creationDateKey",
    "SystemBootTime": "systemUptime",
    "DiskSpace": "volumeAvailableCapacityKey volumeAvailableCapacityForImportantUsageKey"
    " volumeAvailableCapacityForOpportunisticUsageKey volumeTotalCapacityKey",
    "ActiveKeyboards": "activeInputModes",
    "UserDefaults": "UserDefaults NSUserDefaults",
}
ATTRIBUTES = {  # of FileAttributeKey; other types may have a property of the same name
    "FileTimestamp": "creationDate modificationDate NSFileCreationDate NSFileModificationDate",
    "DiskSpace": "systemFreeSize systemSize NSFileSystemFreeSize NSFileSystemSize",
}
STRUCTURES = {"stat", "statfs", "statvfs"}


def categories(table: dict[str, str]) -> dict[str, set[str]]:
    """The categories of each name in a table."""
    found: dict[str, set[str]] = {}
    for category, names in table.items():
        for name in names.split():
            found.setdefault(name, set()).add(category)
    return found


OF_FUNCTIONS, OF_MEMBERS, OF_ATTRIBUTES = map(categories, (FUNCTIONS, MEMBERS, ATTRIBUTES))
CATEGORIES = OF_FUNCTIONS | OF_MEMBERS | OF_ATTRIBUTES
WORD = re.compile(rf"(?<![\w`$])(?:{'|'.join(sorted(CATEGORIES, key=len, reverse=True))})(?![\w`])")

# What stands before a mention that is a declaration or a type.
DECLARATION = re.compile(r"\b(?:func|var|let|case|struct|class|enum|typealias)$")
TYPE_POSITION = re.compile(r"(?::|->|<|\binout|\bas|\bis|\bstruct|\bsome|\bany)$")
# What stands before the dot of `.name` that does not belong to a value.
NO_VALUE = re.compile(r"(?:^|[^\w)\]}`?!>.]|\b(?:return|in|case|is|as|if|guard|while|where|else|throw|try|await|default))$")

# How an app for iOS and the like answers a condition.
HOLDS = {"canImport(Darwin)", "canImport(Foundation)", "defined(__APPLE__)"}
FAILS = {
    "os(Linux)", "os(Android)", "os(Windows)", "os(WASI)", "os(FreeBSD)", "os(OpenBSD)", "os(macOS)",
    "canImport(Glibc)", "canImport(Musl)", "canImport(Bionic)", "canImport(Android)", "canImport(WASILibc)",
    "canImport(WinSDK)", "canImport(FoundationEssentials)", "canImport(FoundationNetworking)", "canImport(CNIOLinux)",
    "defined(__linux__)", "defined(__ANDROID__)", "defined(_WIN32)",
}  # fmt: skip
CONDITION = re.compile(r"\s*#\s*(if|ifdef|ifndef|elseif|elif|else|endif)\b(.*)")
QUESTION = re.compile(r"\w+\s*\([^()]*\)|\w+")


def outcomes(word: str, condition: str) -> set[bool]:
    """The outcomes that a condition can have on the platforms of the check."""
    if word in ("ifdef", "ifndef"):
        condition = f"{'!' if word == 'ifndef' else ''}defined({condition.strip()})"
    unknown: list[str] = []

    def answer(question: re.Match[str]) -> str:
        name = re.sub(r"\s", "", question[0])
        if name in HOLDS or name in FAILS:
            return str(name in HOLDS)
        if name not in unknown:
            unknown.append(name)
        return f"unknown[{unknown.index(name)}]"

    words = QUESTION.sub(answer, condition).replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    if re.search(r"[<>=+*/?]", words) or len(unknown) > 8:
        return {True, False}
    return {
        bool(eval(words.strip() or "True", {}, {"unknown": values}))
        for values in itertools.product((True, False), repeat=len(unknown))
    }


def active(code: str) -> str:
    """The code with the lines blanked that are certainly not in an app for iOS and the like."""
    lines: list[str] = []
    levels: list[list[bool]] = []  # for each open condition: whether its branch may be active, and a later one may be
    for line in code.split("\n"):
        if not (match := CONDITION.match(line)):
            lines.append(line if all(may_hold for may_hold, _ in levels) else "")
            continue
        word, condition = match.groups()
        lines.append("")
        if word.startswith("if"):
            found = outcomes(word, condition)
            levels.append([True in found, False in found])
        elif word == "endif":
            levels.pop()
        else:
            found = {True} if word == "else" else outcomes("if", condition)
            levels[-1] = [levels[-1][1] and True in found, levels[-1][1] and False in found]
    return "\n".join(lines)


def is_use(text: str, match: re.Match[str]) -> bool:
    """Whether a mention of a name in code is a use of the API."""
    name = match[0]
    before, behind = text[: match.start()].rstrip(), text[match.end() :].lstrip()
    if DECLARATION.search(before) and name not in STRUCTURES | {"UserDefaults"}:
        return False
    if behind.startswith(":") and before.endswith(("(", ",")):
        return False  # the label of an argument
    if name in OF_MEMBERS:
        return not DECLARATION.search(before)
    if name in OF_ATTRIBUTES:
        if name.startswith("NS") or re.search(r"\bFileAttributeKey\s*\.$", before):
            return True
        return before.endswith(".") and bool(NO_VALUE.search(before[:-1].rstrip()))
    if before.endswith("."):
        if not re.search(r"\bDarwin\s*\.$", before):
            return False  # a member of something else
        before = re.sub(r"\bDarwin\s*\.$", "", before).rstrip()
    if name not in STRUCTURES:
        return True
    if DECLARATION.search(before) or TYPE_POSITION.search(before) or behind.startswith((".", "{")):
        return False
    return not re.match(r"\(\s*\)", behind) and not (before.endswith("[") and behind.startswith("]"))


def uses(text: str) -> list[tuple[int, str]]:
    """The uses in a source: for each its line and its name."""
    if not WORD.search(text):
        return []
    code = active(swift_code.code(text))
    return [(code.count("\n", 0, match.start()) + 1, match[0]) for match in WORD.finditer(code) if is_use(code, match)]


def declared(manifest: pathlib.Path, shown: str) -> tuple[set[str], list[str]]:
    """The categories that a manifest names, and what is wrong with it."""
    try:
        content = plistlib.loads(manifest.read_bytes())
    except Exception as error:
        return set(), [f"{shown}: error: not a property list: {error}"]
    findings = [f"{shown}: error: unknown key {key}" for key in content.keys() - KEYS.keys() - {TYPES}]
    for key, value in KEYS.items():
        if content.get(key) != value or type(content.get(key)) is not type(value):
            findings.append(f"{shown}: error: {key} is not {plistlib.dumps(value).decode().split(chr(10))[-3]}")
    found: set[str] = set()
    for entry in content.get(TYPES, []):
        category = str(entry.get(TYPE, "")).removeprefix(PREFIX)
        reasons = entry.get(REASONS, [])
        if entry.keys() != {TYPE, REASONS} or PREFIX + category != entry[TYPE] or category not in PERMITTED:
            findings.append(f"{shown}: error: unknown entry {entry}")
            continue
        if category in found:
            findings.append(f"{shown}: error: {category} is listed twice")
        if not reasons or len(set(reasons)) != len(reasons):
            findings.append(f"{shown}: error: {category} has no reason, or the same reason twice")
        findings += [f"{shown}: error: {each} is not a reason for {category}" for each in reasons if each not in PERMITTED[category]]
        found.add(category)
    return found, findings


def findings(root: pathlib.Path) -> list[str]:
    """What is wrong in a package, as lines for people."""
    package = re.sub(r"(?m)(?:^|\s)//.*", "", (root / "Package.swift").read_text())
    executables = set(re.findall(r"\.executableTarget\(\s*name: \"(\w+)\"", package))
    listed = re.search(r"\blet targetsWithPrivacyManifest = \[(.*?)\]", package, re.S)
    copied = set(re.findall(r'"(\w+)"', listed[1])) if listed else set()
    result = []
    for folder in sorted(each for each in (root / "Sources").iterdir() if each.is_dir()):
        manifest, target = folder / NAME, folder.name
        shown = str(manifest.relative_to(root))
        named, problems = declared(manifest, shown) if manifest.exists() else (set(), [])
        result += problems
        if manifest.exists() != (target in copied):
            where = "is not in" if manifest.exists() else "has no file, but is in"
            result.append(f"{shown}: error: {target} {where} targetsWithPrivacyManifest of Package.swift")
        if target in executables:
            continue
        used: set[str] = set()
        for source in sorted(each for each in folder.rglob("*") if each.suffix in (".swift", ".c", ".h", ".cc", ".m")):
            for line, name in uses(source.read_text()):
                used |= CATEGORIES[name]
                if not CATEGORIES[name] & named:
                    needed = " or ".join(sorted(CATEGORIES[name]))
                    result.append(f"{source.relative_to(root)}:{line}: error: {name} needs a reason for {needed} in {shown}")
        result += [f"{shown}: error: no source of {target} uses an API of {each}" for each in sorted(named - used)]
    return result


# MARK: The proof

# Lines of code, each with the names that must be found in it.
LINES = [
    ("guard fstat(descriptor, &status) == 0 else { return }", ["fstat"]),
    ("if Darwin.stat(path, &status) == 0 {}", ["stat"]),
    ("private let sysStat = stat", ["stat"]),
    ("var status = stat(); fstatat(folder, name, &status, 0)", ["fstatat"]),
    ("var system: statfs = statfs()\nfstatfs(1, &system)", ["fstatfs"]),
    ("let start = mach_absolute_time()", ["mach_absolute_time"]),
    ("let awake = ProcessInfo.processInfo.systemUptime", ["systemUptime"]),
    ("values(forKeys: [.contentModificationDateKey, .fileSizeKey])", ["contentModificationDateKey"]),
    ("attributes[.modificationDate] as? Date", ["modificationDate"]),
    ("attributes[FileAttributeKey.creationDate]", ["creationDate"]),
    ("return .systemFreeSize", ["systemFreeSize"]),
    ("UserDefaults.standard.set(1, forKey: key)", ["UserDefaults"]),
    (r'let text = "\(fstat(0, &status))"', ["fstat"]),
    ("#if canImport(Darwin)\nlstat(a, b)\n#else\nfstat(a, b)\n#endif", ["lstat"]),
    ("#if os(Linux)\nlstat(a, b)\n#elseif SOMETHING\nfstat(a, b)\n#endif", ["fstat"]),
    ("#if os(macOS)\nfstatfs(a, b)\n#else\nfstat(a, b)\n#endif", ["fstat"]),
    ("#if !SOMETHING && canImport(Darwin)\nfstat(a, b)\n#endif", ["fstat"]),
    ("#ifdef __linux__\nfstat(a, b);\n#elif X > 2\nlstat(a, b);\n#endif", ["lstat"]),
    ('// fstat(0)\n/* stat(a, b) /* lstat() */ fstat */\nlet text = "fstat(1)", more = #"lstat("#', []),
    ("let status: stat = stat()\nfunc read(_ status: stat) -> stat {}\nMemoryLayout<stat>.size", []),
    ("struct stat status;", []),
    ("record.creationDate + self.creationDate\nlet creationDate = 1\nf(creationDate: 1, modificationDate: 2)", []),
    ("machine\n    .creationDate", []),
    ("peer.stat(path)\nself.lstat(path)\nfunc lstat(path: String) {}", []),
    ("#if os(Linux)\nfstat(a, b)\n#endif\n#if !canImport(Darwin)\nlstat(a, b)\n#endif", []),
    ("#if os(Linux) && SOMETHING\nfstat(a, b)\n#endif", []),
]  # fmt: skip


def manifest_of(entries: dict[str, list[str]], **others) -> bytes:
    types = [{TYPE: PREFIX + category, REASONS: reasons} for category, reasons in entries.items()]
    return plistlib.dumps(KEYS | {TYPES: types} | others)


# A source, a manifest, and a part of the only finding; `None` if there is none.
FSTAT, NO_USE = "fstat(descriptor, &status)", "let number = 1"
GOOD = manifest_of({"FileTimestamp": ["C617.1", "3B52.1"]})
CASES = [
    (FSTAT, GOOD, None),
    (NO_USE, None, None),
    ("getattrlist(a, b, c, d, e)", GOOD, None),
    ("getattrlist(a, b, c, d, e)", manifest_of({"DiskSpace": ["E174.1"]}), None),
    (FSTAT, None, "File.swift:1: error: fstat needs a reason for FileTimestamp"),
    (FSTAT, manifest_of({}), "fstat needs a reason"),
    (FSTAT + "\nfstatfs(a, b)", GOOD, "File.swift:2: error: fstatfs needs a reason for DiskSpace"),
    (NO_USE, GOOD, "no source of Module uses an API of FileTimestamp"),
    (FSTAT, manifest_of({"FileTimestamp": ["E174.1"]}), "E174.1 is not a reason for FileTimestamp"),
    (FSTAT, manifest_of({"FileTimestamp": []}), "FileTimestamp has no reason"),
    (FSTAT, manifest_of({"FileTimestamp": ["C617.1"]}, NSPrivacyMore=1), "unknown key NSPrivacyMore"),
    (FSTAT, manifest_of({"FileTimestamp": ["C617.1"]}, NSPrivacyTracking=True), "NSPrivacyTracking is not <false/>"),
    (FSTAT, manifest_of({"FileTimestamp": ["C617.1"]}, NSPrivacyTrackingDomains=["a.example"]), "TrackingDomains is not"),
    (NO_USE, b"<plist", "not a property list"),
    (NO_USE, manifest_of({"Cameras": ["C617.1"]}), "unknown entry"),
    (NO_USE, manifest_of({}), None),
]  # fmt: skip


def prove() -> None:
    """Checks that the check finds what it must find, and nothing else."""
    for code, expected in LINES:
        if (found := [name for _, name in uses(code)]) != expected:
            sys.exit(f"error: scripts/check privacy finds {found} instead of {expected} in:\n{code}")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "Sources" / "Module").mkdir(parents=True)
        (root / "Sources" / "Tool").mkdir()
        (root / "Sources" / "Tool" / "main.swift").write_text(FSTAT)
        manifest = root / "Sources" / "Module" / NAME

        def check(source: str, content: bytes | None, expected: str | None, copied: str) -> None:
            tool = '.executableTarget(name: "Tool")'
            (root / "Package.swift").write_text(f"let targetsWithPrivacyManifest = [{copied}]\n{tool}\n")
            (root / "Sources" / "Module" / "File.swift").write_text(source)
            manifest.unlink(missing_ok=True)
            if content is not None:
                manifest.write_bytes(content)
            found = findings(root)
            if len(found) != (expected is not None) or expected and expected not in found[0]:
                sys.exit(f"error: scripts/check privacy finds {found} instead of {expected} in:\n{source}\n{content}")

        for source, content, expected in CASES:
            check(source, content, expected, copied="" if content is None else '"Module"')
        check(FSTAT, GOOD, "Module is not in targetsWithPrivacyManifest", copied="")
        check(NO_USE, None, "Module has no file, but is in targetsWithPrivacyManifest", copied='"Module"')


def check(root: pathlib.Path) -> list[str]:
    """Proves the check, and returns what is wrong in a package."""
    prove()
    return findings(root)


if __name__ == "__main__":
    if found := check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])):
        sys.exit("\n".join(found))
