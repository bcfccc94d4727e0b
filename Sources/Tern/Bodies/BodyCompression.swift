// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import NIOFoundationEssentialsCompat
import TernCompression
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTransport

/// Compresses the body of a request, before the stages sign, hash and repeat exactly the bytes that the client sends.
enum BodyCompression {
    /// The number of bytes to compress between checks of the deadline, which takes some milliseconds.
    private static let pieceByteCount = 256 << 10

    struct TimeLimit {
        let deadline: CallDeadline?
        let clock: any TransportClock

        func check() throws(ClientError) {
            let context = ClientError.Context(phase: .prepare)
            if Task.isCancelled { throw .cancelled(context) }
            guard let deadline = self.deadline, self.clock.now >= deadline.instant else { return }
            throw deadline.error(context)
        }
    }

    /// Returns the request with a compressed body, unless that is not wanted or not useful; a file or a stream is compressed
    /// later.
    @concurrent
    static func applied(to given: Request, _ timeLimit: TimeLimit) async throws(ClientError) -> Request {
        var request = given
        // If the request has a recorded problem, leave it unchanged: assigning the body would clear the problem, and
        // the client would no longer refuse the request.
        guard given.problem == nil, let compression = given.options.compression, let body = given.body else {
            return given
        }
        guard !given.fields.contains(.contentEncoding) else {
            // The caller has compressed the body and set Content-Encoding. If a delegate provides a new body, the
            // delegate has compressed it, too. So the client must compress neither body.
            request.options.compression = nil
            return request
        }
        guard var compressed = try self.compressed(body, from: compression.minimumByteCount, timeLimit) else {
            return given
        }
        request.fields = given.effectiveFields  // Content-Type describes the content before compression
        request.fields[.contentEncoding] = "gzip"
        compressed.addedTrailers = body.addedTrailers
        request.body = compressed
        return request
    }

    /// Gives a request a delegate's new body, compressed like the first, or, if that fails, without its `Content-Encoding`.
    static func renew(_ body: RequestBody, in request: inout Request, _ timeLimit: TimeLimit) throws(ClientError) {
        guard request.options.compression != nil, request.fields.contains(.contentEncoding) else {
            request.body = body
            return
        }
        var compressed = try self.compressed(body, from: 0, isForced: true, timeLimit)
        compressed?.addedTrailers = body.addedTrailers
        if compressed == nil { request.fields[.contentEncoding] = nil }
        request.body = compressed ?? body
    }

    /// Returns the compressed body, or `nil` if the client sends the body unchanged.
    private static func compressed(
        _ body: RequestBody,
        from minimumByteCount: Int,
        isForced: Bool = false,
        _ timeLimit: TimeLimit
    ) throws(ClientError) -> RequestBody? {
        switch body.content {
        case .data(let data):
            guard data.count >= minimumByteCount else { return nil }
            // If there is no memory for the compressor, send the body uncompressed.
            guard let short = try self.compressed(data, timeLimit), isForced || short.count < data.count else {
                return nil
            }
            return .data(short, contentType: body.contentType)
        case .file(let url):
            // The offsets of a part are those of the file before compression.
            guard body.filePart == nil else { return nil }
            return self.compressed(try self.stream(of: url), body, minimumByteCount)
        case .multipart(let multipart):
            let stream = try RequestBody.Stream(multipart, context: ClientError.Context(phase: .prepare))
            return self.compressed(stream, body, minimumByteCount)
        case .stream(let stream):
            return self.compressed(stream, body, minimumByteCount)
        }
    }

    private static func compressed(_ data: Data, _ timeLimit: TimeLimit) throws(ClientError) -> Data? {
        let gzip = Gzip()
        var short = Data()
        var rest = data[...]
        repeat {
            try timeLimit.check()
            let piece = rest.prefix(self.pieceByteCount)
            rest = rest.dropFirst(piece.count)
            guard let bytes = try? gzip.compress(piece, isLast: rest.isEmpty) else { return nil }
            short.append(bytes)
        } while !rest.isEmpty
        return short
    }

    private static func compressed(
        _ stream: RequestBody.Stream,
        _ body: RequestBody,
        _ minimumByteCount: Int
    ) -> RequestBody? {
        if let length = stream.length, length < minimumByteCount { return nil }
        let coded = RequestBody.Stream(length: nil, isReplayable: stream.isReplayable) { GzipPieces(base: stream) }
        return RequestBody(.stream(coded), contentType: body.contentType)
    }

    private static func stream(of file: URL) throws(ClientError) -> RequestBody.Stream {
        do throws(FileReadError) {
            let pieces = try FilePieces(path: file.path)
            return RequestBody.Stream(length: pieces.byteCount, isReplayable: true) { pieces }
        } catch {
            throw .uploadFailed(error.reason, ClientError.Context(phase: .prepare))
        }
    }
}

/// The compressed pieces of a body, compressed as the client asks for them.
struct GzipPieces: AsyncSequence {
    let base: RequestBody.Stream

    func makeAsyncIterator() -> Iterator { Iterator(self.base.makeReader()) }

    struct Iterator: AsyncIteratorProtocol, TrailersSource {
        private let reader: RequestBody.Reader
        private let gzip = Gzip()
        private var isOver = false

        fileprivate init(_ reader: RequestBody.Reader) { self.reader = reader }

        var trailers: HTTPFields? { self.reader.trailers }

        /// Returns the next compressed bytes, which are empty while the compressor keeps its output in a buffer.
        mutating func next() async throws -> Data? {
            guard !self.isOver else { return nil }
            guard let piece = try await self.reader.next() else {
                self.isOver = true
                return try self.gzip.compress(Data(), isLast: true)
            }
            return try self.gzip.compress(piece, isLast: false)
        }
    }
}

@available(*, unavailable)
extension GzipPieces.Iterator: Sendable {}

/// An unfinished gzip stream (RFC 1952), for one task only.
final class Gzip {
    private static let roomByteCount = 64 << 10

    private var deflater: Deflater?

    func compress(_ data: Data, isLast: Bool) throws(CompressionError) -> Data {
        if self.deflater == nil { self.deflater = try Deflater(.gzip) }
        var output = ByteBuffer()
        let input = ByteBuffer(data: data)
        var consumed = 0
        var isComplete = false
        while !isComplete {
            output.writeWithOutputRawSpan(minimumWritableBytes: Self.roomByteCount) { span in
                let rest = input.readableBytesSpan.extracting(droppingFirst: consumed)
                guard let progress = self.deflater?.deflate(rest, flush: isLast ? .finish : .none, into: &span) else {
                    isComplete = true
                    return
                }
                consumed += progress.consumedByteCount
                isComplete = progress.isComplete
            }
        }
        return Data(buffer: output)
    }
}

@available(*, unavailable)
extension Gzip: Sendable {}
