// SPDX-License-Identifier: Apache-2.0
// For all platforms other than Linux. Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never
// on an Apple platform.

#if !os(Linux)
import TernFoundation

/// A stand-in for the memory of a long body, which only Linux has: here, a body stays in its `Data`.
struct BodyMemory {
    init?(maximumByteCount: Int) { nil }

    func append(_ bytes: UnsafeRawBufferPointer) -> Bool { false }

    func finish() -> Data { Data() }
}
#endif
