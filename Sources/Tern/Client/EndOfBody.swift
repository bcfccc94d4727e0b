// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernErrors
import TernTransport

/// Remembers whether a body was read to its end, for all iterators of the body.
///
/// After the end, another iterator would look like one over an empty body, so its first read throws an error.
final class EndOfBody: Sendable {
    private let isReached = Atomic(false)

    func reach() { self.isReached.store(true, ordering: .relaxed) }

    /// Reads the next bytes, and records the end of the body or a failure, after which there are no more bytes.
    nonisolated(nonsending) func reading(
        _ reader: inout ResponseBody.Reader
    ) async throws(ClientError) -> ByteBuffer? {
        do throws(ClientError) {
            let bytes = try await reader.next()
            if bytes == nil { self.reach() }
            return bytes
        } catch {
            self.reach()
            throw error
        }
    }

    func checkBeginning(_ context: @autoclosure () -> ClientError.Context) throws(ClientError) {
        if self.isReached.load(ordering: .relaxed) { throw .bodyMisused(.discarded, context()) }
    }
}
