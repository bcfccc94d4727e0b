// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
public import TernFoundation

/// The body of a request: bytes in memory, a file, or a stream.
public struct RequestBody: Sendable {
    /// The source of the bytes.
    @nonexhaustive
    public enum Content: Sendable {
        /// Bytes in memory.
        case data(Data)
        /// A regular file, which the client opens when it sends the request.
        case file(URL)
        /// A sequence of pieces.
        case stream(Stream)
        /// A form whose files the client reads when it sends the request.
        case multipart(Multipart)
    }

    /// The source of the bytes.
    public let content: Content
    /// The media type of the bytes; `nil` if it is not known.
    ///
    /// The client sends it as `Content-Type` if the request's fields have no `Content-Type`.
    public var contentType: String?
    /// The trailers that the head announces; `nil` if there are none.
    package var addedTrailers: AddedTrailers?
    /// The part of the file that is the body; `nil` for the whole file.
    ///
    /// Has no effect on other content.
    package var filePart: FilePart?

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - content: The source of the bytes.
    ///   - contentType: The media type of the bytes. Defaults to `nil`.
    public init(_ content: Content, contentType: String? = nil) {
        self.content = content
        self.contentType = contentType
    }

    /// The length of the body in bytes; `nil` if it is not known before sending.
    ///
    /// For example, the length of a file that is not open yet is not known.
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
    /// Creates a body from bytes in memory.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The media type of the bytes. Defaults to `nil`.
    /// - Returns: A body that can be sent again.
    public static func data(_ data: Data, contentType: String? = nil) -> RequestBody {
        RequestBody(.data(data), contentType: contentType)
    }

    /// Creates a body from a file, which the client opens when it sends the request, and reads in pieces.
    ///
    /// - Parameters:
    ///   - url: The URL of a regular file.
    ///   - contentType: The media type of the file. Defaults to `nil`.
    /// - Returns: A body that can be sent again.
    public static func file(_ url: URL, contentType: String? = nil) -> RequestBody {
        RequestBody(.file(url), contentType: contentType)
    }

    /// Creates a body from a part of a file.
    ///
    /// - Parameters:
    ///   - url: The URL of a regular file.
    ///   - part: The part. If the file has another identity, sending the body fails with `fileChanged`.
    /// - Returns: A body that can be sent again.
    package static func file(_ url: URL, part: FilePart) -> RequestBody {
        var body = RequestBody(.file(url))
        body.filePart = part
        return body
    }

    /// Creates a body from the pieces of an asynchronous sequence, which the client reads once.
    ///
    /// The client asks the sequence for the next piece when the connection has taken the previous one. If the request
    /// ends early, the client releases the iterator.
    ///
    /// - Parameters:
    ///   - sequence: Pieces of any size, such as `Data` or `[UInt8]`.
    ///   - length: The total number of bytes, not negative. Defaults to `nil`: the client then sends the body in
    ///     chunks.
    ///   - contentType: The media type of the bytes. Defaults to `nil`.
    /// - Returns: A body that cannot be sent again.
    public static func stream<S: AsyncSequence & Sendable>(
        _ sequence: S,
        length: Int64? = nil,
        contentType: String? = nil
    ) -> RequestBody where S.Element: Sequence<UInt8> {
        let stream = Stream(length: length, isReplayable: false) { sequence }
        return RequestBody(.stream(stream), contentType: contentType)
    }

    /// Creates a body from a closure that makes a new sequence each time the body is sent.
    ///
    /// - Parameters:
    ///   - length: The number of bytes of each sequence, not negative. Defaults to `nil`: the client then sends the
    ///     body in chunks.
    ///   - contentType: The media type of the bytes. Defaults to `nil`.
    ///   - makeSequence: A closure that returns a sequence with the same bytes every time.
    /// - Returns: A body that can be sent again.
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
    /// A body that the client reads piece by piece.
    public struct Stream: Sendable {
        /// The total number of bytes; `nil` if it is not known.
        package let length: Int64?
        /// Whether ``makeReader()`` may be called more than once.
        package let isReplayable: Bool

        private let make: @Sendable () -> Reader
        /// The shared state of a body that a ``Writer`` writes; `nil` for a sequence.
        let written: WriterBackedBody?

        /// Creates a stream.
        ///
        /// - Parameters:
        ///   - length: The total number of bytes, not negative; `nil` if it is not known.
        ///   - isReplayable: Whether `makeSequence` returns the same bytes every time.
        ///   - makeSequence: A closure that returns the pieces; each ``makeReader()`` calls it once.
        package init<S: AsyncSequence & SendableMetatype>(
            length: Int64?,
            isReplayable: Bool,
            _ makeSequence: @escaping @Sendable () -> S
        ) where S.Element: Sequence<UInt8> {
            precondition(length ?? 0 >= 0, "the length of a body must not be negative")
            self.length = length
            self.isReplayable = isReplayable
            self.make = { SequenceReader(makeSequence()) }
            self.written = nil
        }

        /// Creates a stream from the pieces that a writer writes.
        init(_ written: WriterBackedBody, length: Int64?) {
            precondition(length ?? 0 >= 0, "the length of a body must not be negative")
            self.length = length
            self.isReplayable = false
            self.make = { written.makeReader() }
            self.written = written
        }

        /// Starts to read the stream.
        ///
        /// - Returns: A reader at the start of the stream. A second reader of a stream from
        ///   ``RequestBody/makeWriter(length:contentType:announcing:)`` throws.
        /// - Important: If the stream is not `isReplayable`, call this method only once.
        package func makeReader() -> Reader { self.make() }
    }

    /// Returns the pieces of a stream, one after the other.
    ///
    /// - Important: A reader is not `Sendable`: it belongs to the task that created it. Releasing the reader releases
    ///   its iterator.
    package class Reader {
        init() {}

        /// Returns the next piece, which may be empty; `nil` at the end of the stream.
        ///
        /// - Parameter isolation: The caller's actor, on which the iterator runs. Leave it at its default.
        /// - Returns: The bytes, or `nil` at the end.
        /// - Throws: The error that the sequence throws. After an error, or after `nil`, do not call this method again.
        /// - Important: The sequence decides how to respond to cancellation.
        package func next(isolation: isolated (any Actor)? = #isolation) async throws -> Data? { nil }

        /// The trailers, available after ``next(isolation:)`` has returned `nil`; `nil` if there are none.
        package var trailers: HTTPFields? { nil }
    }
}

@available(*, unavailable)
extension RequestBody.Reader: Sendable {}

/// Boxes an iterator.
///
/// The reading task creates the iterator, so that the iterator need not be `Sendable`.
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

/// An iterator that passes on the pieces and the trailers of a ``RequestBody/Reader``.
package protocol TrailersSource {
    /// The trailers that follow the last piece.
    var trailers: HTTPFields? { get }
}
