// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCompression
import TernErrors
@_spi(CrossModuleInlining) import TernFields
import TernRequests
import TernTransport

/// Undoes the content codings that the client asked for: `gzip` and `deflate` (RFC 9110 §8.4).
///
/// A request that says itself what it accepts, or asks for a range, gets what the server sends as it is.
struct ContentDecoding: Stage {
    /// What the client accepts unless a request says otherwise.
    static let acceptedCodings = ContentCoding.allCases.map(\.token).joined(separator: ", ")

    /// How many codings may be nested; who nests more wants to exhaust the client. (curl allows five.)
    private static let maximumCodingCount = 3

    let limits: InflationLimits
    /// Whether content is decoded where a request does not say.
    let isDefault: Bool

    @inline(__always)  // into its witness: one frame less on the way of every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        var reply = try await next.respond(to: call)
        guard reply.response.noticedFields.contains(.contentEncoding),
            call.request.options.decodesContent ?? self.isDefault,
            Self.hasWholeContent(reply.response, call.request.method)
        else { return reply }
        let codings = Self.codings(of: reply.response)
        guard codings.count <= Self.maximumCodingCount else {
            throw .protocolViolation(
                section: "RFC 9110 §8.4",
                reason: "The content has more than \(Self.maximumCodingCount) codings.",
                call.context(.body, response: reply.response.httpResponse)
            )
        }
        // "listed in the order in which they were applied"; what lies beneath an unknown one cannot be reached.
        for coding in codings.reversed() {
            guard let coding else { break }
            let decoding = try Decoding(coding, self.limits, call, reply.response)
            reply.body = reply.body.transformed(by: decoding, length: nil, for: call)
        }
        return reply
    }

    /// The codings, in the order in which they were applied; `nil` stands for one that is not known.
    private static func codings(of response: Response) -> [ContentCoding?] {
        let names = response.fields[values: .contentEncoding].flatMap { value in
            value.split { $0 == "," || $0 == " " || $0 == "\t" }
        }
        return names.filter { $0.lowercased() != "identity" }.map { ContentCoding($0) }
    }

    /// Whether the answer has content that begins at its beginning.
    private static func hasWholeContent(_ response: Response, _ method: HTTPRequest.Method) -> Bool {
        method != .head && response.statusCode != 206 && response.statusCode != 304 && response.statusCode != 101
    }
}

/// Undoes one content coding while a body is read.
///
/// It holds one piece of input and makes one piece of output at a time, however much that may become.
private struct Decoding: BodyTransform, ~Copyable {
    /// How much output is made at a time.
    private static let pieceByteCount = 64 << 10

    private let call: HTTPCall
    private let response: Response
    private var decoder: ContentDecoder
    private var input = ByteBuffer()
    private var output = ByteBuffer()
    private var givenByteCount: Int64 = 0
    /// Whether the encoded body is over.
    private var isOver = false
    /// Whether all of it was decoded.
    private var isFinished = false

    /// Begins to decode.
    ///
    /// - Throws: `ClientError`, if there is no memory.
    init(
        _ coding: ContentCoding,
        _ limits: InflationLimits,
        _ call: HTTPCall,
        _ response: Response
    ) throws(ClientError) {
        self.call = call
        self.response = response
        do throws(CompressionError) {
            self.decoder = try ContentDecoder(coding, limits: limits)
        } catch {
            throw Self.error(.outOfMemory, 0, call, response)
        }
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
            // A reader that waits for little gets what there is; one that gathers waits on.
            guard self.isOver else { return .read(atLeast: byteCount > 1 ? Self.pieceByteCount : 1) }
            try self.finish()
            guard self.output.readableBytes > 0 else { return .end }
            break
        }
        return .output(self.taken())
    }

    /// Decodes what there is; returns whether more input is needed for more output.
    private mutating func decode() throws(ClientError) -> Bool {
        do throws(ContentViolation) {
            return try Self.decode(&self.decoder, &self.input, &self.output) == .needsInput
        } catch {
            throw Self.error(error, self.givenByteCount, self.call, self.response)
        }
    }

    private static func decode(
        _ decoder: inout ContentDecoder,
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
