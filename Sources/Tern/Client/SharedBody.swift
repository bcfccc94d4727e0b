// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernErrors
import TernTransport

/// The body of a response, for all iterators over it, which remembers whether one of them has come to its end or an error.
///
/// After that, another iterator would look like one over an empty body, so its first read throws an error.
final class SharedBody: Sendable {
    let reply: HTTPReply
    let call: HTTPCall

    private let isOver = Atomic(false)

    init(_ reply: HTTPReply, of call: HTTPCall) {
        self.reply = reply
        self.call = call
    }

    func context(_ phase: ClientError.Phase) -> ClientError.Context {
        self.call.context(phase, response: self.reply.response.httpResponse)
    }

    /// Reads the body for one iterator.
    struct Reader: Sendable {
        private enum State {
            /// The iterator has not asked for bytes; ends when it does.
            case idle
            /// More bytes may come; ends with the body, with the iterator's last element, or with an error.
            case reading
            case over
        }

        private let body: SharedBody
        private var reader: ResponseBody.Reader
        private var state = State.idle

        init(_ body: SharedBody) {
            self.body = body
            self.reader = body.reply.body.makeReader()
        }

        var isOver: Bool {
            if case .over = self.state { true } else { false }
        }

        /// Returns the next bytes; `nil` at the end, and after an error.
        nonisolated(nonsending) mutating func next() async throws(ClientError) -> ByteBuffer? {
            switch self.state {
            case .idle:
                if self.body.isOver.load(ordering: .relaxed) {
                    self.state = .over
                    throw .bodyMisused(.discarded, self.body.context(.body))
                }
                self.state = .reading
            case .reading: break
            case .over: return nil
            }
            do throws(ClientError) {
                if let bytes = try await self.reader.next() { return bytes }
                self.end()
                return nil
            } catch {
                self.state = .over
                // If another task reads, the body goes on for that task.
                if case .bodyMisused(.concurrentReads, _) = error { throw error }
                self.end()
                throw error
            }
        }

        /// Ends the iterator, and the body for all iterators that have not begun.
        mutating func end() {
            self.state = .over
            self.body.isOver.store(true, ordering: .relaxed)
        }

        /// Ends the iterator because it cannot use the bytes that it has read, and frees the connection.
        mutating func fail() {
            self.end()
            self.body.reply.body.discard()
        }
    }
}
