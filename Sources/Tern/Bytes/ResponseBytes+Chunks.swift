// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOFoundationEssentialsCompat
public import TernErrors
import TernTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ResponseBytes {
    /// The body in the pieces in which it arrives.
    public var chunks: Chunks { Chunks(reply: self.reply) }

    /// The body of a response, piece by piece; where it is cut has no meaning.
    public struct Chunks: AsyncSequence, Sendable {
        public typealias Element = Data
        public typealias Failure = ClientError

        let reply: Reply

        public func makeAsyncIterator() -> Iterator { Iterator(reader: self.reply.body.makeReader()) }

        /// Gives the pieces; belongs to one task.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var reader: ResponseBody.Reader

            /// The next piece, never empty, or `nil` at the end of the body.
            ///
            /// - Throws: `ClientError`; `.cancelled` when the task is cancelled while it waits.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(ClientError) -> Data? {
                guard var bytes = try await self.reader.next() else { return nil }
                return bytes.readData(length: bytes.readableBytes, byteTransferStrategy: .automatic)
            }
        }
    }
}

@available(*, unavailable)
extension ResponseBytes.Chunks.Iterator: Sendable {}
