// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a request carries: bytes in memory, a file, or a stream.
public struct RequestBody: Sendable {
    /// Where the bytes come from.
    @nonexhaustive
    public enum Content: Sendable {
        /// Bytes in memory.
        case data(Data)
        /// A regular file, opened when the request is sent.
        case file(URL)
        /// A sequence of pieces.
        case stream(Stream)
        /// A form whose files are read when the request is sent.
        case multipart(Multipart)
    }

    /// Where the bytes come from.
    public let content: Content
    /// The media type, sent as `Content-Type` unless the request's fields have one; `nil` if it is not known.
    public var contentType: String?
    /// The fields behind the body that the head announces; `nil` if there are none.
    package var addedTrailers: AddedTrailers?

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - content: where the bytes come from.
    ///   - contentType: their media type; none by default.
    public init(_ content: Content, contentType: String? = nil) {
        self.content = content
        self.contentType = contentType
    }

    /// How many bytes the body has; `nil` if that is not known before it is sent, as of a file that is not open yet.
    public var length: Int64? {
        switch self.content {
        case .data(let data): Int64(data.count)
        case .file, .multipart: nil
        case .stream(let stream): stream.length
        }
    }

    /// Whether the body can be sent a second time, after a redirect, a challenge or a lost connection.
    package var isReplayable: Bool {
        switch self.content {
        case .data, .file, .multipart: true
        case .stream(let stream): stream.isReplayable
        }
    }
}

extension RequestBody {
    /// Bytes in memory.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - contentType: their media type; none by default.
    /// - Returns: a body that can be sent again.
    public static func data(_ data: Data, contentType: String? = nil) -> RequestBody {
        RequestBody(.data(data), contentType: contentType)
    }

    /// A file, opened when the request is sent, and read in pieces.
    ///
    /// - Parameters:
    ///   - url: the URL of a regular file.
    ///   - contentType: its media type; none by default.
    /// - Returns: a body that can be sent again.
    public static func file(_ url: URL, contentType: String? = nil) -> RequestBody {
        RequestBody(.file(url), contentType: contentType)
    }

    /// The pieces of a sequence, which is read once.
    ///
    /// The sequence is pulled: its next piece is asked for when the connection has taken the one before. If the request
    /// ends early, the iterator is released.
    ///
    /// - Parameters:
    ///   - sequence: pieces of any size, such as `Data` or `[UInt8]`.
    ///   - length: how many bytes they are together; not negative; if `nil`, the default, the body is sent in chunks.
    ///   - contentType: their media type; none by default.
    /// - Returns: a body that cannot be sent again.
    public static func stream<S: AsyncSequence & Sendable>(
        _ sequence: S,
        length: Int64? = nil,
        contentType: String? = nil
    ) -> RequestBody where S.Element: Sequence<UInt8> {
        let stream = Stream(length: length, isReplayable: false) { sequence }
        return RequestBody(.stream(stream), contentType: contentType)
    }

    /// The pieces of sequences, of which a new one is made each time the body is sent.
    ///
    /// - Parameters:
    ///   - length: how many bytes each sequence gives; not negative; if `nil`, the default, the body is sent in chunks.
    ///   - contentType: their media type; none by default.
    ///   - makeSequence: gives a sequence with the same bytes every time.
    /// - Returns: a body that can be sent again.
    public static func replayableStream<S: AsyncSequence & SendableMetatype>(
        length: Int64? = nil,
        contentType: String? = nil,
        _ makeSequence: @escaping @Sendable () -> S
    ) -> RequestBody where S.Element: Sequence<UInt8> {
        let stream = Stream(length: length, isReplayable: true, makeSequence)
        return RequestBody(.stream(stream), contentType: contentType)
    }
}

extension RequestBody {
    /// A body that comes in pieces.
    public struct Stream: Sendable {
        /// How many bytes all pieces are together; `nil` if that is not known.
        package let length: Int64?
        /// Whether ``makeReader()`` may be called more than once.
        package let isReplayable: Bool

        private let make: @Sendable () -> Reader
        /// What is written by hand; `nil` for a sequence.
        let written: WrittenBody?

        /// Creates a stream.
        ///
        /// - Parameters:
        ///   - length: how many bytes all pieces are together; not negative; `nil` if that is not known.
        ///   - isReplayable: whether `makeSequence` gives the same bytes every time.
        ///   - makeSequence: gives the pieces; called once for each ``makeReader()``.
        package init<S: AsyncSequence & SendableMetatype>(
            length: Int64?,
            isReplayable: Bool,
            _ makeSequence: @escaping @Sendable () -> S
        ) where S.Element: Sequence<UInt8> {
            precondition(length ?? 0 >= 0, "the length of a body is not negative")
            self.length = length
            self.isReplayable = isReplayable
            self.make = { SequenceReader(makeSequence()) }
            self.written = nil
        }

        /// What a writer writes.
        init(_ written: WrittenBody, length: Int64?) {
            precondition(length ?? 0 >= 0, "the length of a body is not negative")
            self.length = length
            self.isReplayable = false
            self.make = { written.makeReader() }
            self.written = written
        }

        /// Begins to read.
        ///
        /// - Returns: a reader at the start of the stream. A second one of a stream that was made by
        ///   ``RequestBody/makeWriter(length:contentType:announcing:)`` throws.
        /// - Important: Call it once only, unless the stream `isReplayable`.
        package func makeReader() -> Reader { self.make() }
    }

    /// Gives the pieces of a stream, one after the other.
    ///
    /// - Important: A reader is not `Sendable`: it belongs to the task that made it. Releasing it releases the iterator.
    package class Reader {
        init() {}

        /// The next piece, which may be empty; `nil` at the end of the stream.
        ///
        /// - Parameter isolation: the caller's actor, where the iterator runs; left to its default.
        /// - Returns: the bytes, or `nil` once there are no more.
        /// - Throws: whatever the sequence throws; after that, or after `nil`, do not call it again.
        /// - Important: How it answers cancellation is up to the sequence.
        package func next(isolation: isolated (any Actor)? = #isolation) async throws -> Data? { nil }

        /// The fields behind the last piece, once ``next(isolation:)`` has returned `nil`; `nil` if there are none.
        package var trailers: HTTPFields? { nil }
    }
}

@available(*, unavailable)
extension RequestBody.Reader: Sendable {}

/// Boxes an iterator; it is made by the task that reads, so that it need not be `Sendable`.
private final class SequenceReader<S: AsyncSequence>: RequestBody.Reader where S.Element: Sequence<UInt8> {
    private var iterator: S.AsyncIterator

    init(_ sequence: S) {
        self.iterator = sequence.makeAsyncIterator()
        super.init()
    }

    override func next(isolation: isolated (any Actor)? = #isolation) async throws -> Data? {
        guard let piece = try await self.iterator.next(isolation: isolation) else { return nil }
        return piece as? Data ?? Data(piece)
    }

    override var trailers: HTTPFields? { (self.iterator as? any TrailersSource)?.trailers }
}

/// An iterator that passes on the pieces of a ``RequestBody/Reader``, and what is behind them.
package protocol TrailersSource {
    /// What the reader has behind its last piece.
    var trailers: HTTPFields? { get }
}
