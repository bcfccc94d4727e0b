// SPDX-License-Identifier: Apache-2.0
// For all platforms other than Linux. Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never
// on an Apple platform.

#if !os(Linux)
extension UploadRecordPlaceTests {
    /// Returns `false`: there is no device that is always full.
    static func makeFullDevice(_ path: String) -> Bool { false }
}
#endif
