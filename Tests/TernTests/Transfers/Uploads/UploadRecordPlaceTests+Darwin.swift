// SPDX-License-Identifier: Apache-2.0
// For all platforms other than Linux. Compiled against stand-ins (scripts/check-apple); never run.

#if !os(Linux)
extension UploadRecordPlaceTests {
    /// Returns `false`: there is no device that is always full.
    static func makeFullDevice(_ path: String) -> Bool { false }
}
#endif
