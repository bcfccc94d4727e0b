// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
public import TernErrors
import TernStreams
import TernTransport

extension ResponseBytes {
    /// The body in lines, each as long as the client's `maximumLineByteCount` allows.
    public var lines: Lines { self.lines(maximumByteCount: self.maximumLineByteCount) }

    /// The body in lines of limited length.
    ///
    /// - Parameter maximumByteCount: how long a line may be, in bytes without its end; at least 1.
    /// - Returns: the lines, in the order in which they arrive.
    public func lines(maximumByteCount: Int) -> Lines {
        Lines(reply: self.reply, call: self.call, maximumByteCount: maximumByteCount)
    }

    /// The body of a response, line by line.
    ///
    /// A line ends with LF, CRLF or CR, and with nothing else; empty lines are lines. The end of the body ends the last
    /// line if it is not empty. Bytes that are not UTF-8 become U+FFFD.
    public struct Lines: AsyncSequence, Sendable {
        let reply: HTTPReply
        let call: HTTPCall
        let maximumByteCount: Int

        public func makeAsyncIterator() -> Iterator { Iterator(self) }

        /// Gives the lines; belongs to one task.
        public struct Iterator: AsyncIteratorProtocol {
            private let response: Response
            private let call: HTTPCall
            private var reader: ResponseBody.Reader
            private var decoder: LineDecoder
            private var bytes = ByteBuffer()
            private var offset = 0
            private var isAtEnd = false

            fileprivate init(_ lines: Lines) {
                self.response = lines.reply.response
                self.call = lines.call
                self.reader = lines.reply.body.makeReader()
                self.decoder = LineDecoder(maximumLineByteCount: lines.maximumByteCount)
            }

            /// The next line without its end, or `nil` at the end of the body.
            ///
            /// - Throws: `ClientError`; `.lineTooLong` past the limit, `.cancelled` when the task is cancelled while it
            ///   waits.
            @inlinable @inline(__always)
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(ClientError) -> String? {
                if let line = try self.availableLine() { return line }
                return try await self.awaitedLine()
            }

            /// The next line, once more of the body is here.
            @usableFromInline
            nonisolated(nonsending) mutating func awaitedLine() async throws(ClientError) -> String? {
                while !self.isAtEnd {
                    guard let bytes = try await self.reader.next() else {
                        self.isAtEnd = true
                        return self.decoder.finish()
                    }
                    self.bytes = bytes
                    self.offset = 0
                    if let line = try self.availableLine() { return line }
                }
                return nil
            }

            private static func line(
                _ decoder: inout LineDecoder,
                _ bytes: ByteBuffer,
                _ offset: inout Int
            ) throws(LineViolation) -> String? {
                try decoder.next(in: bytes.readableBytesSpan, from: &offset)
            }

            /// The next line, if it is here; it costs no suspension, and no call of an `async` function.
            @usableFromInline
            mutating func availableLine() throws(ClientError) -> String? {
                guard !self.isAtEnd else { return nil }
                do throws(LineViolation) {
                    return try Self.line(&self.decoder, self.bytes, &self.offset)
                } catch {
                    self.isAtEnd = true
                    switch error {
                    case .tooLong(let limit):
                        let context = self.call.context(.body, response: self.response.httpResponse)
                        throw .lineTooLong(limit: limit, context)
                    }
                }
            }
        }
    }
}

@available(*, unavailable)
extension ResponseBytes.Lines.Iterator: Sendable {}
