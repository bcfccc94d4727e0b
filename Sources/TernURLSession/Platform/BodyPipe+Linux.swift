// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc.

#if !canImport(Darwin)
import TernURLLoading

extension BodyPipe {
    /// Returns `nil`, because `URLSession` would block the queue of its session; the transport reads every stream into memory
    /// instead.
    func makeInputStream() -> InputStream? { nil }
}
#endif
