// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernErrors
import TernTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The beginning of the body of a response that was not accepted: what an error keeps of it.
struct KeptBody: Sendable {
    /// The beginning.
    private(set) var bytes = Data()
    /// Whether that is all of it.
    private(set) var isComplete = false

    /// Reads a body until it ends, until the limit, or until it fails; the response was not accepted in any case.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - limit: How many bytes are kept.
    ///   - call: The call, whose idle timeout limits the whole reading: a server that drips one byte at a time is not waited
    ///     for any longer than one that is silent.
    /// - Returns: The beginning of the body.
    /// - Throws: `ClientError.cancelled`; nothing else.
    static func reading(_ body: ResponseBody, limit: Int, for call: HTTPCall) async throws(ClientError) -> KeptBody {
        var kept = KeptBody()
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
