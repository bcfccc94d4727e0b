// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernFoundation
import TernTransport

/// The beginning of a rejected response's body, for the error.
struct BodyExcerpt: Sendable {
    /// The first bytes of the body.
    private(set) var bytes = Data()
    /// Whether ``bytes`` is the whole body.
    private(set) var isComplete = false

    /// The time that the server has to send the body of a response that the client has refused.
    ///
    /// The head has already decided how the call ends, and most servers send a short report together with the head.
    private static let readingTime = Duration.seconds(1)

    /// Reads a body until its end, the limit, a failure, or the end of the time for reading.
    ///
    /// This function ignores a failure to read, because the client rejects the response in any case. When the time is
    /// over, the body is discarded, and the excerpt has the bytes that arrived.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - limit: The maximum number of bytes to keep.
    ///   - call: The call. If its idle timeout is shorter than a second, it limits the whole reading instead.
    /// - Returns: The beginning of the body.
    /// - Throws: Only `ClientError.cancelled`, when the task is cancelled.
    static func reading(_ body: ResponseBody, limit: Int, for call: HTTPCall) async throws(ClientError) -> BodyExcerpt {
        let end = call.clock.now.advanced(by: min(Self.readingTime, call.timeouts.idle ?? Self.readingTime))
        // A discarded body ends a read that waits for a silent server. A server that sends one byte at a time ends no
        // read, so the loop looks at the clock, too.
        let timer = body.whole == nil ? call.clock.schedule(at: end) { body.discard() } : nil
        defer { timer?.cancel() }
        var kept = BodyExcerpt()
        var reader = body.makeReader()
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
            if call.clock.now >= end { break }
        }
        return kept
    }
}
