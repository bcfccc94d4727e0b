// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCompression
import TernErrors
@_spi(CrossModuleInlining) import TernFields
import TernRequests
import TernTransport

/// Decodes content codings (RFC 9110 §8.4), by default not if the request sets `Accept-Encoding` or `Range` itself.
struct ContentDecoding: Stage {
    /// The maximum number of nested codings, transfer codings included; more are an attempt to exhaust the client.
    ///
    /// Beyond it, the call throws `ClientError.protocolViolation`.
    private static let maximumCodingCount = 3

    let limits: InflationLimits
    let known: ContentCodings
    let isDefault: Bool

    @inline(__always)  // inlining into the witness saves a stack frame for every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        var reply = try await next.respond(to: call)
        guard reply.response.noticedFields.contains(.contentEncoding),
            call.request.options.decodesContent ?? self.isDefault,
            Self.hasWholeContent(reply.response, call.request.method)
        else { return reply }
        let codings = ContentCodings.names(of: reply.response)
        guard codings.count + reply.response.transferCodings.count <= Self.maximumCodingCount else {
            throw .protocolViolation(
                section: "RFC 9110 §8.4",
                reason: "The server applied more than \(Self.maximumCodingCount) codings to the content.",
                call.context(.body, response: reply.response.httpResponse)
            )
        }
        // The codings are "listed in the order in which they were applied" (RFC 9110 §8.4), so decode the last one
        // first. If a coding is unknown, the codings before it cannot be decoded.
        var remaining = codings
        while let coding = remaining.last, let decoded = try self.decoded(reply, coding, call) {
            reply.body = decoded
            remaining.removeLast()
        }
        if remaining.count < codings.count { reply.response = reply.response.decoded(leaving: remaining) }
        return reply
    }

    /// Returns the body without a coding; `nil` if the coding is unknown.
    private func decoded(_ reply: HTTPReply, _ coding: String, _ call: HTTPCall) throws(ClientError) -> ResponseBody? {
        do throws(CompressionError) {
            if let known = ContentCoding(coding) {
                let decoder = try ContentDecoder(known, limits: self.limits)
                return reply.body.transformed(by: Decoding(decoder, call, reply.response), length: nil, for: call)
            }
            guard let codec = self.known.codec(coding) else { return nil }
            let decoder = try CodecDecoder(codec, limits: self.limits)
            return reply.body.transformed(by: Decoding(decoder, call, reply.response), length: nil, for: call)
        } catch {
            let context = call.context(.body, response: reply.response.httpResponse)
            throw .protocolViolation(section: ContentViolation.outOfMemory.section, reason: error.reason, context)
        }
    }

    /// Whether the response has content, and the whole of it: a part of the content cannot be decoded.
    private static func hasWholeContent(_ response: Response, _ method: HTTPRequest.Method) -> Bool {
        method != .head && response.statusCode != 206 && response.statusCode != 304 && response.statusCode != 101
    }
}

/// Decodes one coding while the caller reads the body, one piece of input and one piece of output at a time.
struct Decoding<Decoder: StreamDecoder & ~Copyable>: BodyTransform, ~Copyable {
    private static var pieceByteCount: Int { 64 << 10 }

    private let call: HTTPCall
    private let response: Response
    private var decoder: Decoder
    private var input = ByteBuffer()
    private var output = ByteBuffer()
    private var givenByteCount: Int64 = 0
    private var isOver = false
    private var isFinished = false

    init(_ decoder: consuming Decoder, _ call: HTTPCall, _ response: Response) {
        self.decoder = decoder
        self.call = call
        self.response = response
    }

    mutating func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep {
        switch input {
        case .none: break
        case .bytes(let bytes): self.input = bytes
        case .end: self.isOver = true
        }
        guard !self.isFinished else { return .end }
        let wanted = min(byteCount, Self.pieceByteCount)
        while self.output.readableBytes < wanted {
            let needsInput = try self.decode()
            guard needsInput, self.output.readableBytes < wanted else { continue }
            // If the reader wants one byte, return output as soon as there is some. If it wants more, read more input
            // first.
            guard self.isOver else { return .read(atLeast: byteCount > 1 ? Self.pieceByteCount : 1) }
            try self.finish()
            guard self.output.readableBytes > 0 else { return .end }
            break
        }
        return .output(self.taken())
    }

    /// Decodes the available input, and returns whether the decoder needs more input before it can return more output.
    private mutating func decode() throws(ClientError) -> Bool {
        do throws(ContentViolation) {
            return try Self.decode(&self.decoder, &self.input, &self.output) == .needsInput
        } catch {
            throw Self.error(error, self.givenByteCount, self.call, self.response)
        }
    }

    private static func decode(
        _ decoder: inout Decoder,
        _ input: inout ByteBuffer,
        _ output: inout ByteBuffer
    ) throws(ContentViolation) -> ContentDecoder.Status {
        var progress = ContentDecoder.Progress(consumedByteCount: 0, status: .needsInput)
        let bytes = input
        try output.writeWithOutputRawSpan(minimumWritableBytes: Self.pieceByteCount) { span throws(ContentViolation) in
            progress = try decoder.decode(bytes.readableBytesSpan, into: &span)
        }
        input.moveReaderIndex(forwardBy: progress.consumedByteCount)
        return progress.status
    }

    private mutating func finish() throws(ClientError) {
        do throws(ContentViolation) {
            try self.decoder.finish()
        } catch {
            let byteCount = self.givenByteCount + Int64(self.output.readableBytes)
            throw Self.error(error, byteCount, self.call, self.response)
        }
        self.isFinished = true
        // A transfer coding beneath this coding may have reported its own number since the last output.
        self.call.delegation?.meter.decompressed(self.givenByteCount + Int64(self.output.readableBytes))
    }

    private mutating func taken() -> ByteBuffer {
        let output = self.output
        self.output = ByteBuffer()
        self.givenByteCount += Int64(output.readableBytes)
        self.call.delegation?.meter.decompressed(self.givenByteCount)
        return output
    }

    private static func error(
        _ violation: ContentViolation,
        _ byteCount: Int64,
        _ call: HTTPCall,
        _ response: Response
    ) -> ClientError {
        let context = call.context(.body, response: response.httpResponse)
        return switch violation {
        case .truncated: .truncated(received: byteCount, expected: nil, context)
        case .tooLong(let limit): .bodyTooLarge(limit: Int(clamping: limit), context)
        default: .protocolViolation(section: violation.section, reason: violation.reason, context)
        }
    }
}
