// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCompression
import TernErrors
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
    func respond(to call: Call, next: Next) async throws(ClientError) -> Reply {
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
            reply.body = ResponseBody(try DecodedBodySource(reply.body, coding, self.limits, call, reply.response))
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

/// A response body whose content coding is undone while it is read.
///
/// It holds one piece of input and makes one piece of output at a time, however much that may become.
final class DecodedBodySource: ResponseBodySource {
    private struct Progress: ~Copyable {
        /// The encoded body; released with this, and so its connection freed, as soon as the end or an error is known.
        let base: ResponseBody
        var decoder: ContentDecoder
        var input = ByteBuffer()
        var givenByteCount: Int64 = 0
        /// Whether the encoded body is over.
        var isOver = false
    }

    /// How much output is made at a time.
    private static let pieceByteCount = 64 << 10

    /// What the length will be is not known before the end.
    let length: Int64? = nil

    private let call: Call
    private let response: Response
    private let turn: ReadTurn<Progress>

    /// Begins to decode.
    ///
    /// - Throws: `ClientError`, if there is no memory.
    init(
        _ base: ResponseBody,
        _ coding: ContentCoding,
        _ limits: InflationLimits,
        _ call: Call,
        _ response: Response
    ) throws(ClientError) {
        self.call = call
        self.response = response
        let decoder: ContentDecoder
        do throws(CompressionFailure) {
            decoder = try ContentDecoder(coding, limits: limits)
        } catch {
            throw Self.error(.outOfMemory, 0, call, response)
        }
        var progress = Progress(base: base, decoder: decoder)
        if let whole = base.whole {
            progress.input = whole
            progress.isOver = true
        }
        self.turn = ReadTurn(progress)
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        guard let progress = try self.turn.take(self.call) else { return nil }
        return try await self.advance(progress, atLeast: byteCount)
    }

    private func advance(
        _ progress: consuming Progress,
        atLeast byteCount: Int
    ) async throws(ClientError) -> ByteBuffer? {
        var output = ByteBuffer()
        let wanted = min(byteCount, Self.pieceByteCount)
        do throws(ClientError) {
            while output.readableBytes < wanted {
                let needsInput = try self.decode(&progress, &output)
                guard needsInput, output.readableBytes < wanted else { continue }
                guard !progress.isOver else { return try self.finish(progress, output) }
                // Who waits for little gets what there is; who gathers waits on.
                var reader = progress.base.makeReader()
                if let bytes = try await reader.next(atLeast: byteCount > 1 ? Self.pieceByteCount : 1) {
                    progress.input = bytes
                } else {
                    progress.isOver = true
                }
            }
        } catch {
            self.turn.end()
            throw error
        }
        progress.givenByteCount += Int64(output.readableBytes)
        self.call.delegation?.meter.decompressed(progress.givenByteCount)
        self.turn.giveBack(progress)
        return output
    }

    /// Decodes what there is; returns whether more input is needed for more output.
    private func decode(_ progress: inout Progress, _ output: inout ByteBuffer) throws(ClientError) -> Bool {
        var status = ContentDecoder.Status.needsInput
        do throws(ContentViolation) {
            status = try Self.decode(&progress.decoder, &progress.input, &output)
        } catch {
            throw Self.error(error, progress.givenByteCount, self.call, self.response)
        }
        return status == .needsInput
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

    private func finish(_ progress: consuming Progress, _ output: ByteBuffer) throws(ClientError) -> ByteBuffer? {
        do throws(ContentViolation) {
            try progress.decoder.finish()
        } catch {
            throw Self.error(error, progress.givenByteCount + Int64(output.readableBytes), self.call, self.response)
        }
        self.turn.end()
        self.call.delegation?.meter.decompressed(progress.givenByteCount + Int64(output.readableBytes))
        return output.readableBytes > 0 ? output : nil
    }

    private static func error(
        _ violation: ContentViolation,
        _ byteCount: Int64,
        _ call: Call,
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
