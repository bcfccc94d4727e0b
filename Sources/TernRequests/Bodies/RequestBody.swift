// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
public import TernFoundation

/// The body of a request: bytes in memory, a file, a stream, or a form.
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
    /// The media type, sent as `Content-Type` if the request's fields have none; `nil` if it is not known.
    public var contentType: String?
    package var addedTrailers: AddedTrailers?
    package var filePart: FilePart?

    /// Creates a body.
    public init(_ content: Content, contentType: String? = nil) {
        self.content = content
        self.contentType = contentType
    }

    /// The length of the body in bytes; `nil` if it is not known before sending, as for a file.
    public var length: Int64? {
        switch self.content {
        case .data(let data): Int64(data.count)
        case .file, .multipart: nil
        case .stream(let stream): stream.length
        }
    }

    package var isReplayable: Bool {
        switch self.content {
        case .data, .file, .multipart: true
        case .stream(let stream): stream.isReplayable
        }
    }
}

extension RequestBody {
    /// Creates a body from bytes in memory, which can be sent again.
    public static func data(_ data: Data, contentType: String? = nil) -> RequestBody {
        RequestBody(.data(data), contentType: contentType)
    }

    /// Creates a body from a regular file, which the client opens when it sends the request; the body can be sent again.
    public static func file(_ url: URL, contentType: String? = nil) -> RequestBody {
        RequestBody(.file(url), contentType: contentType)
    }

    package static func file(_ url: URL, part: FilePart) -> RequestBody {
        var body = RequestBody(.file(url))
        body.filePart = part
        return body
    }

    /// Creates a body from the pieces of an asynchronous sequence, which a call can read only once.
    ///
    /// The client reads the pieces as fast as the connection takes them; with `URLSession` on Linux, it reads all pieces first. If
    /// the request ends early, the client releases the iterator. A call cannot send the body again.
    ///
    /// - Parameters:
    ///   - sequence: Pieces of any size, such as `Data` or `[UInt8]`.
    ///   - length: The total number of bytes, not negative. With it, the client may hold back the last piece until the end.
    ///     Without it, the client's own transport sends chunks over HTTP/1.1 (RFC 9112 §7.1).
    ///   - contentType: The media type of the bytes.
    /// - Returns: The body.
    public static func stream<S: AsyncSequence & Sendable>(
        _ sequence: S,
        length: Int64? = nil,
        contentType: String? = nil
    ) -> RequestBody where S.Element: Sequence<UInt8> {
        let stream = Stream(length: length, isReplayable: false) { sequence }
        return RequestBody(.stream(stream), contentType: contentType)
    }

    /// Creates a body from a closure that makes a new sequence with the same bytes each time the client reads the body.
    ///
    /// - Parameters:
    ///   - length: The number of bytes of each sequence, not negative. Without it, the client's own transport sends chunks over
    ///     HTTP/1.1.
    ///   - contentType: The media type of the bytes.
    ///   - makeSequence: A closure that returns the sequence.
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
        package let length: Int64?
        package let isReplayable: Bool

        private let make: @Sendable () -> Reader
        /// The shared state of a body that a ``Writer`` writes; `nil` for a sequence.
        let written: WriterBackedBody?

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

        init(_ written: WriterBackedBody, length: Int64?) {
            precondition(length ?? 0 >= 0, "the length of a body must not be negative")
            self.length = length
            self.isReplayable = false
            self.make = { written.makeReader() }
            self.written = written
        }

        /// Starts to read the stream; only a replayable stream can have a second reader.
        package func makeReader() -> Reader { self.make() }
    }

    /// Reads the pieces of a stream, for the task that created the reader; releasing the reader releases the stream's iterator.
    package class Reader {
        init() {}

        /// Returns the next piece, which may be empty, or `nil` at the end; do not call it again after the end or an error.
        package func next(isolation: isolated (any Actor)? = #isolation) async throws -> Data? { nil }

        package var trailers: HTTPFields? { nil }
    }
}

@available(*, unavailable)
extension RequestBody.Reader: Sendable {}

/// Reads the pieces of a sequence; the reading task creates the iterator, which need not be `Sendable`.
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

package protocol TrailersSource {
    var trailers: HTTPFields? { get }
}
