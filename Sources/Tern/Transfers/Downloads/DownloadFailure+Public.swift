// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernTransfers
import TernTransport

extension DownloadFailure {
    func error(
        _ call: HTTPCall,
        _ reply: HTTPReply?,
        _ failure: ClientError?,
        keptByteCount: Int
    ) async -> ClientError {
        let context = call.context(.store, response: reply?.response.httpResponse)
        switch self {
        case .status(let code):
            guard let reply else {
                return failure ?? .validationFailed(ValidationFailure(.status(code)), call.context(.validate))
            }
            return await Self.refusal(code, reply, call, keptByteCount: keptByteCount)
        case .restartedTwice(let reason):
            let violation = reason.violation
            return .protocolViolation(section: violation.section, reason: violation.reason, context)
        case .violation(let violation):
            let section = "RFC 9110 \(violation.section)"
            return .protocolViolation(section: section, reason: violation.wording, context)
        case .digestMismatch(let algorithm, .caller):
            return .digestFailed(.unexpected(algorithm: algorithm.rawValue), context)
        case .digestMismatch(let algorithm, .server):
            let field = "Repr-Digest or Content-Digest"
            return .digestFailed(.mismatch(algorithm: algorithm.rawValue, field: field), context)
        case .interrupted, .fileFailed:
            return failure ?? .cancelled(context)
        }
    }

    /// Returns the error for a response that, because of its status, contains no part of the file.
    private static func refusal(
        _ code: Int,
        _ reply: HTTPReply,
        _ call: HTTPCall,
        keptByteCount: Int
    ) async -> ClientError {
        do throws(ClientError) {
            let kept = try await BodyExcerpt.reading(reply.body, limit: keptByteCount, for: call)
            let failure = ValidationFailure(.status(code), body: kept.bytes, isBodyComplete: kept.isComplete)
            return .validationFailed(failure, call.context(.validate, response: reply.response.httpResponse))
        } catch {
            return error
        }
    }
}
