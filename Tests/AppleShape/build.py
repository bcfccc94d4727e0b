# SPDX-License-Identifier: Apache-2.0
"""Builds test targets in the shape of an Apple platform, for scripts/test: `build.py [TARGET…]`; without targets, all.

Modules of this package, and the stand-ins, are compiled with object files. All others are linked as SwiftPM has built them in
.build/debug. The result is .build/apple/tests, a program with the options of Swift Testing.
"""

import subprocess
import sys
import time

from compiler import OBJECTS, Compiler, compile_all
from debug_build import DebugBuild, Failure
from shape import OUT, ROOT, closure, package_modules, stand_ins, with_stand_ins


def main(targets: list[str]) -> None:
    start = time.monotonic()
    build = ROOT / ".build"
    package = package_modules(build)
    targets = targets or [name for name, module in package.items() if module.is_test]
    modules = with_stand_ins(closure(targets, package), stand_ins(package))
    compiler = Compiler(build, makes_objects=True)
    if failures := compile_all(modules, compiler):
        raise Failure("\n".join(failures))
    objects = [str(OBJECTS / f"{name}.o") for name in sorted(modules)]
    program = OUT / "tests"
    command, _ = DebugBuild(build).link(program, objects, set(package))
    subprocess.run(command, cwd=ROOT, check=True)
    count = len(compiler.seconds)
    print(f"test: compiled {count} of {len(modules)} modules in {time.monotonic() - start:.0f} s", file=sys.stderr)


try:
    main(sys.argv[1:])
except Failure as failure:
    sys.exit(str(failure))
