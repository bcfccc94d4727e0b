// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc.

#if !canImport(Darwin)
import TernURLLoading

extension BodyPipe {
    /// Returns `nil`, because `URLSession` reads a stream on the queue of its session, and blocks that queue.
    ///
    /// libdispatch does not start another thread for each blocked one, so a few waiting streams would stop all
    /// sessions. The transport reads every stream into memory instead, and never calls this method.
    func makeInputStream() -> InputStream? { nil }
}
#endif
