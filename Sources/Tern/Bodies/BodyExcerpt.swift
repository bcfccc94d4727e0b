// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernErrors
import TernTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The beginning of a rejected response's body, for the error.
struct BodyExcerpt: Sendable {
    /// The first bytes of the body.
    private(set) var bytes = Data()
    /// Whether ``bytes`` is the whole body.
    private(set) var isComplete = false

    /// Reads a body until its end, the limit, or a failure.
    ///
    /// This function ignores a failure to read, because the client rejects the response in any case.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - limit: The maximum number of bytes to keep.
    ///   - call: The call. Its idle timeout limits the whole reading. So a server that sends one byte at a time cannot
    ///     delay the error longer than a silent server.
    /// - Returns: The beginning of the body.
    /// - Throws: Only `ClientError.cancelled`, when the task is cancelled.
    static func reading(_ body: ResponseBody, limit: Int, for call: HTTPCall) async throws(ClientError) -> BodyExcerpt {
        var kept = BodyExcerpt()
        var reader = body.makeReader()
        let start = call.clock.now
        while true {
            do throws(ClientError) {
                guard let bytes = try await reader.next() else {
                    kept.isComplete = true
                    break
                }
                let missing = limit - kept.bytes.count
                bytes.withUnsafeReadableBytes { kept.bytes.append(contentsOf: $0.prefix(max(0, missing))) }
                if bytes.readableBytes > missing { break }
            } catch {
                if error.isCancellation { throw error }
                break
            }
            if let idle = call.timeouts.idle, start.duration(to: call.clock.now) > idle { break }
        }
        return kept
    }
}
