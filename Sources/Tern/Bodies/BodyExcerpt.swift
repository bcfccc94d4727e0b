// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernFoundation
import TernTransport

/// The beginning of a rejected response's body, for the error.
struct BodyExcerpt: Sendable {
    private(set) var bytes = Data()
    private(set) var isComplete = false

    /// The time that the server has to send the body of a refused response; most send a short report together with the head.
    private static let readingTime = Duration.seconds(1)

    /// Reads a body until its end, the limit, a failure, or the end of a second or of a shorter idle timeout.
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
