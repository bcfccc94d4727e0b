// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernHTTP1
import TernTransport

/// Reads one response from a connection: passes the received bytes to the decoder, and returns the heads, the pieces of
/// the body, and the end of the response as events.
struct ResponseReader: ~Copyable, Sendable {
    /// The number of bytes to gather from short chunks before they are delivered together.
    ///
    /// The number is large enough that the events are few, and small enough that the copied bytes stay in the
    /// processor's cache.
    private static let gatheredByteCount = 16 << 10

    private let connection: any Connection
    private var decoder: ResponseDecoder
    /// The bytes that have arrived, but are not decoded yet.
    private(set) var unread = ByteBuffer()
    /// Whether any byte of the response has arrived.
    private(set) var hasReceived = false
    /// The number of decoded bytes, including heads and framing.
    private(set) var decodedByteCount: Int64 = 0
    /// Whether the response may end with trailers; known once its head was read.
    private(set) var mayHaveTrailers = false
    /// The trailer section, once the response has ended with one.
    private(set) var trailers: FieldSection?
    /// The observer to tell when the first byte arrives.
    private let observer: (any TransferObserver)?
    /// Whether the request has a body.
    ///
    /// The server may answer before it has read that body completely.
    private let mayBeSending: Bool
    /// Whether this exchange is the last one on the connection, even if the response allows others.
    var isLast = false

    init(
        _ connection: any Connection,
        decoder: ResponseDecoder,
        observer: (any TransferObserver)? = nil,
        mayBeSending: Bool = false
    ) {
        self.connection = connection
        self.decoder = decoder
        self.observer = observer
        self.mayBeSending = mayBeSending
    }

    /// Whether the response is complete, and another exchange may follow on the connection.
    ///
    /// There must be no bytes after the response. After a request with a body, the connection must also have sent all
    /// of that body; otherwise the next request would wait behind it.
    var isReusable: Bool {
        guard self.decoder.isReusable, self.unread.readableBytes == 0, !self.isLast else { return false }
        return !self.mayBeSending || self.connection.isReadyForExchange
    }

    /// Waits for the next event.
    ///
    /// Returns immediately if the bytes that have arrived contain an event. Otherwise waits for `byteCount` bytes, or
    /// for the number that the decoder expects, whichever is smaller.
    mutating func next(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ResponseFailure) -> ResponseEvent {
        while true {
            if let event = try self.decoded() { return event }
            let bytes: ByteBuffer?
            do throws(ConnectionError) {
                let count = min(byteCount, self.decoder.expectedByteCount)
                bytes = try await self.connection.read(atLeast: count, deadline: deadline)
            } catch {
                throw .connection(error)
            }
            guard let bytes else { return try self.finished() }
            self.append(bytes)
        }
    }

    /// Returns the next event, if enough bytes have arrived for one.
    mutating func nextAvailable() throws(ResponseFailure) -> ResponseEvent? {
        while true {
            if let event = try self.decoded() { return event }
            guard let bytes = self.connection.readAvailable() else { return nil }
            self.append(bytes)
        }
    }

    /// Returns the whole body if it arrived together with the head; otherwise `nil`.
    ///
    /// Call this method before ``next(atLeast:deadline:)`` reads the body.
    mutating func takeWholeBody() -> ByteBuffer? {
        let (decoder, unread, decodedByteCount) = (self.decoder, self.unread, self.decodedByteCount)
        switch try? self.decoded(gathers: false) {
        case .end:
            return ByteBuffer()
        case .body(let bytes):
            if case .end? = try? self.decoded(gathers: false) { return bytes }
        default:
            break
        }
        (self.decoder, self.unread, self.decodedByteCount) = (decoder, unread, decodedByteCount)
        return nil
    }

    /// Decodes the next event from the bytes that have arrived; `nil` if there are too few.
    ///
    /// Short chunks are joined if `gathers` is true.
    private mutating func decoded(gathers: Bool = true) throws(ResponseFailure) -> ResponseEvent? {
        while true {
            let step: ResponseDecoder.Step
            do throws(HTTP1Violation) {
                step = try Self.step(&self.decoder, self.unread)
            } catch {
                throw .violation(error)
            }
            var event: ResponseEvent?
            switch step.event {
            case .informational(let head): event = .informational(Response.Head(head))
            case .head(let head):
                // "A server that receives a request message with a transfer coding it does not understand SHOULD respond
                // with 501" (RFC 9112 §6.1). A client can only fail: the coded bytes must not count as the content.
                guard !head.hasUnsupportedTransferCoding else { throw .unsupportedTransferCoding }
                self.mayHaveTrailers = head.bodyLength == .chunked
                event = .head(Response.Head(head))
            case .end(let trailers):
                self.trailers = trailers
                event = .end
            case .body(let range):
                let start = self.unread.readerIndex + range.lowerBound
                event = self.unread.getSlice(at: start, length: range.count).map { .body($0) }
            case nil: break
            }
            self.consume(step.consumedByteCount)
            if gathers, case .body(let first)? = event { return .body(self.gather(behind: first)) }
            if event != nil || step.consumedByteCount == 0 { return event }
        }
    }

    private mutating func consume(_ byteCount: Int) {
        self.unread.moveReaderIndex(forwardBy: byteCount)
        self.decodedByteCount += Int64(byteCount)
    }

    /// Returns `first`, followed by the data of the short chunks after it.
    ///
    /// Returns `first` unchanged if it is long, or if no complete short chunk has arrived after it.
    private mutating func gather(behind first: ByteBuffer) -> ByteBuffer {
        guard first.readableBytes <= ResponseDecoder.maximumShortChunkByteCount,
            self.decoder.canGather(self.unread.readableBytesSpan)
        else { return first }
        var gathered = ByteBuffer()
        let byteCount = first.readableBytes + min(self.unread.readableBytes, Self.gatheredByteCount)
        gathered.reserveCapacity(byteCount)
        gathered.writeImmutableBuffer(first)
        self.consume(Self.gather(&self.decoder, self.unread, into: &gathered))
        return gathered
    }

    private static func gather(
        _ decoder: inout ResponseDecoder,
        _ bytes: ByteBuffer,
        into gathered: inout ByteBuffer
    ) -> Int {
        var byteCount = 0
        gathered.writeWithOutputRawSpan(minimumWritableBytes: 0) { span in
            byteCount = decoder.gather(bytes.readableBytesSpan, into: &span)
        }
        return byteCount
    }

    private static func step(
        _ decoder: inout ResponseDecoder,
        _ bytes: ByteBuffer
    ) throws(HTTP1Violation) -> ResponseDecoder.Step {
        try decoder.next(bytes.readableBytesSpan)
    }

    private mutating func append(_ bytes: ByteBuffer) {
        if !self.hasReceived {
            self.hasReceived = true
            self.observer?.didReach(.firstByte)
        }
        self.unread.append(arrived: bytes)
    }

    private mutating func finished() throws(ResponseFailure) -> ResponseEvent {
        do throws(HTTP1Violation) {
            _ = try self.decoder.finish()
            return .end
        } catch {
            throw .violation(error)
        }
    }
}
