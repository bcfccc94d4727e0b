// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernErrors
import TernTransport

/// Remembers whether a body was read to its end, for all iterators of the body.
///
/// A second iterator continues where the first one stopped. After the end, it would find nothing, and its loop would
/// look like one over an empty body. So the first read of such an iterator throws an error.
final class EndOfBody: Sendable {
    private let isReached = Atomic(false)

    /// Records that an iterator needs no more of the body.
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

    /// Checks that an iterator may begin to read.
    ///
    /// - Parameter context: The context of an error.
    /// - Throws: `ClientError.bodyMisused` if another iterator has reached the end.
    func checkBeginning(_ context: @autoclosure () -> ClientError.Context) throws(ClientError) {
        if self.isReached.load(ordering: .relaxed) { throw .bodyMisused(.discarded, context()) }
    }
}
