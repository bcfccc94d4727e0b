// SPDX-License-Identifier: Apache-2.0
// For all platforms other than Linux. Compiled against stand-ins (scripts/check-apple); never run.

#if !os(Linux)
import TernFoundation

/// Memory for a long body: there is none, so a body stays in its `Data`.
struct BodyMemory {
    init?(maximumByteCount: Int) { nil }

    func append(_ bytes: UnsafeRawBufferPointer) -> Bool { false }

    func finish() -> Data { Data() }
}
#endif
