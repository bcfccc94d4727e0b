// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
public import TernErrors
import TernStreams
import TernTransport

extension ResponseBytes {
    /// The body as lines, each at most as long as the client's `maximumLineByteCount`.
    public var lines: Lines { self.lines(maximumByteCount: self.maximumLineByteCount) }

    /// Returns the body as lines, without their endings.
    ///
    /// A longer line ends the sequence with `ClientError.lineTooLong`.
    public func lines(maximumByteCount: Int) -> Lines {
        Lines(bytes: self, maximumByteCount: maximumByteCount)
    }

    /// The body of a response, line by line.
    ///
    /// Only LF, CRLF and CR end a line. The sequence includes empty lines. If the body does not end with a line ending, the
    /// remaining bytes are the last line. Bytes that are not UTF-8 become U+FFFD.
    public struct Lines: AsyncSequence, Sendable {
        let bytes: ResponseBytes
        let maximumByteCount: Int

        public func makeAsyncIterator() -> Iterator { Iterator(self) }

        /// An iterator that returns the lines, for one task only.
        public struct Iterator: AsyncIteratorProtocol {
            private let body: SharedBody
            private var reader: SharedBody.Reader
            private var decoder: LineDecoder
            private var bytes = ByteBuffer()
            private var offset = 0

            fileprivate init(_ lines: Lines) {
                self.body = lines.bytes.body
                self.reader = SharedBody.Reader(self.body)
                self.decoder = LineDecoder(maximumLineByteCount: lines.maximumByteCount)
            }

            /// Returns the next line without its ending, or `nil` at the end of the body.
            ///
            /// - Throws: The errors of ``ResponseBytes/Iterator/next(isolation:)``, and `.lineTooLong` when a line exceeds the
            ///   limit.
            @inlinable @inline(__always)
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(ClientError) -> String? {
                if let line = try self.availableLine() { return line }
                return try await self.awaitedLine()
            }

            @usableFromInline
            nonisolated(nonsending) mutating func awaitedLine() async throws(ClientError) -> String? {
                while !self.reader.isOver {
                    guard let bytes = try await self.reader.next() else { return self.decoder.finish() }
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

            /// Returns the next line if it has arrived, as most have; synchronous, because that is fast.
            @usableFromInline
            mutating func availableLine() throws(ClientError) -> String? {
                guard !self.reader.isOver else { return nil }
                do throws(LineViolation) {
                    return try Self.line(&self.decoder, self.bytes, &self.offset)
                } catch {
                    self.reader.fail()
                    switch error {
                    case .tooLong(let limit): throw .lineTooLong(limit: limit, self.body.context(.body))
                    }
                }
            }
        }
    }
}

@available(*, unavailable)
extension ResponseBytes.Lines.Iterator: Sendable {}
