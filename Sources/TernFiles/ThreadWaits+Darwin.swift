// SPDX-License-Identifier: Apache-2.0
// Compiled against stand-ins (scripts/check-apple); never run.

#if canImport(Darwin)
extension ThreadWaits {
    static func systemCount() -> Int? { nil }
}
#endif
