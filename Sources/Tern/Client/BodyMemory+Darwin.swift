// SPDX-License-Identifier: Apache-2.0
// For all platforms other than Linux. Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never
// on an Apple platform.

#if !os(Linux)
import TernFoundation

/// Memory for a long body: there is none, so a body stays in its `Data`.
struct BodyMemory {
    init?(maximumByteCount: Int) { nil }

    func append(_ bytes: UnsafeRawBufferPointer) -> Bool { false }

    func finish() -> Data { Data() }
}
#endif
