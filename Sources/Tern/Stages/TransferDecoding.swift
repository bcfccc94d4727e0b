// SPDX-License-Identifier: Apache-2.0
import TernCompression
import TernErrors
@_spi(CrossModuleInlining) import TernFields
import TernTransport

/// Decodes the transfer codings `gzip` and `deflate` (RFC 9112 §7.2), before any stage or interceptor sees the response.
///
/// "Transfer-Encoding is a property of the message, not of the representation" (§6.1), so a part of one (206) is decoded, too.
struct TransferDecoding: Sendable {
    let limits: InflationLimits

    func decode(_ original: HTTPReply, for call: HTTPCall) -> HTTPReply {
        var (reply, codings) = (original, original.response.transferCodings)
        // The field "lists the transfer coding names corresponding to the sequence of transfer codings that have been
        // […] applied to the content" (RFC 9112 §6.1), so decode the last one first.
        while let coding = codings.popLast() {
            do throws(CompressionError) {
                let decoder = try ContentDecoder(coding == .gzip ? .gzip : .deflate, limits: self.limits)
                let decoding = Decoding(decoder, call, original.response)
                reply.body = reply.body.transformed(by: decoding, length: nil, for: call)
            } catch {
                let failure = ClientError.protocolViolation(
                    section: ContentViolation.outOfMemory.section,
                    reason: error.reason,
                    call.context(.body, response: original.response.httpResponse)
                )
                reply.body = reply.body.failing(with: failure, for: call)
            }
        }
        reply.response = original.response.decodedTransfer()
        return reply
    }
}
