// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernHTTP1
import TernTransport

/// Reads one response from a connection, and returns heads, pieces of the body, and the end as events.
struct ResponseReader: ~Copyable, Sendable {
    /// The number of bytes to gather from short chunks: large enough for few events, and small enough for the processor's cache.
    private static let gatheredByteCount = 16 << 10

    private let connection: any Connection
    private var decoder: ResponseDecoder
    private(set) var unread = ByteBuffer()
    private(set) var hasReceived = false
    private(set) var decodedByteCount: Int64 = 0
    private(set) var mayHaveTrailers = false
    private(set) var trailers: FieldSection?
    private let observer: (any TransferObserver)?
    private let mayBeSending: Bool
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

    /// Whether another exchange may follow: the response is complete, no bytes come after it, and the connection has sent all of
    /// the request's body, behind which the next request would wait.
    var isReusable: Bool {
        guard self.decoder.isReusable, self.unread.readableBytes == 0, !self.isLast else { return false }
        return !self.mayBeSending || self.connection.isReadyForExchange
    }

    /// Returns the next event, after a wait for `byteCount` bytes, or for the number that the decoder expects if that is smaller.
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

    mutating func nextAvailable() throws(ResponseFailure) -> ResponseEvent? {
        while true {
            if let event = try self.decoded() { return event }
            guard let bytes = self.connection.readAvailable() else { return nil }
            self.append(bytes)
        }
    }

    /// Returns the whole body if it arrived in one piece with the head, before ``next(atLeast:deadline:)`` reads it.
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

    /// Returns `first`, followed by the data of the complete short chunks after it, unless `first` is long.
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
