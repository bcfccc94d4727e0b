// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

extension DraftDialect {
    package func decision(about response: UploadResponse, to exchange: UploadExchange) -> UploadDecision {
        switch exchange.request.purpose {
        case .create: self.creationDecision(response, exchange)
        case .locate: self.locationDecision(response, exchange)
        case .append: self.appendDecision(response, exchange)
        case .cancel: self.cancellationDecision(response, exchange)
        }
    }

    // MARK: Creation (§4.2)

    private func creationDecision(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        let isUsable = self.isUsable(response.fields)
        let isComplete = isUsable ? self.isComplete(response.fields) : nil
        let isOffered = exchange.location != nil
        let answer = UploadDecision.answer(isOffered || isComplete != nil ? .resumable : .plain)
        if isComplete == true {
            // The response comes from the resource itself, even if it is one of the "error responses" (§4.4.2).
            guard exchange.completes || !Self.isSuccess(response) else { return self.incomplete(response, exchange) }
            return answer
        }
        if Self.isSuccess(response) {
            // "2xx (Successful) status code and the request content contained the entire representation data, the
            // upload is complete and the response comes from the resource targeted by the initial request" (§4.2.1).
            if exchange.completes, isComplete == nil { return answer }
            return self.created(response, exchange, isUsable: isUsable)
        }
        switch response.status {
        case 413 where isOffered || isUsable && response.fields.contains(.uploadLimit): return .tooLarge
        case let status where exchange.transientStatusCodes.contains(status): return .unavailable(status: status)
        default: return answer
        }
    }

    /// Decides about a successful response after which the server waits for more bytes.
    private func created(
        _ response: UploadResponse,
        _ exchange: UploadExchange,
        isUsable: Bool
    ) -> UploadDecision {
        // A server that does not use this version took the part for the whole file. Do not send the rest.
        guard isUsable else { return .fail(.unsupported) }
        // "If the request content was fully processed, the server MUST include the Location response header field"
        // (§4.2.2). Without the field, only `Upload-Offset` tells how many bytes the server has.
        let offset = self.byteCount(.uploadOffset, response.fields)
        do throws(LocationViolation) {
            let url = try exchange.location(in: response)
            // "All interim and final response messages for the same request MUST contain an identical Location value
            // […], clients SHOULD verify this" (§4.2.2).
            guard exchange.location == nil || exchange.location == url else {
                return .fail(.violation(.location(.changed)))
            }
            return .created(url, offset: offset ?? (exchange.completes ? nil : exchange.request.body?.upperBound))
        } catch {
            if let url = exchange.location, error == .missing { return .created(url, offset: offset) }
            return .fail(error == .missing ? .unsupported : .violation(.location(error)))
        }
    }

    // MARK: Offset retrieval (§4.3)

    private func locationDecision(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        switch response.status {
        case 200..<300:
            guard self.isUsable(response.fields), let offset = self.byteCount(.uploadOffset, response.fields) else {
                return .fail(.violation(.offsetMissing))
            }
            if let length = self.byteCount(.uploadLength, response.fields), length != exchange.fileByteCount {
                return .fail(.violation(.otherLength(file: exchange.fileByteCount, received: length)))
            }
            let isComplete = self.isComplete(response.fields) ?? false
            guard !isComplete || offset == exchange.fileByteCount else {
                return .fail(.violation(.incompleteCompletion(received: offset)))
            }
            return .located(offset: offset, isComplete: isComplete)
        // "For a 307 (Temporary Redirect) or 308 (Permanent Redirect) status code, the client MAY retry" (§4.3.1).
        case 307, 308: return exchange.redirect(response)
        case 404, 410: return .gone
        default: return self.refusal(response, exchange)
        }
    }

    // MARK: Append (§4.4)

    private func appendDecision(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        let isUsable = self.isUsable(response.fields)
        let isComplete = isUsable ? self.isComplete(response.fields) : nil
        let offset = isUsable ? self.byteCount(.uploadOffset, response.fields) : nil
        if isComplete == true, !Self.isConflict(response) {
            // "If the client received a final response with the Upload-Complete: ?1 header field, the upload is
            // complete and the corresponding response comes from the resource" (§4.4.1). A success with too few bytes
            // breaks this rule.
            let isWhole = exchange.completes && offset ?? exchange.fileByteCount >= exchange.fileByteCount
            return isWhole || !Self.isSuccess(response) ? .answer(.resumable) : self.incomplete(response, exchange)
        }
        switch response.status {
        case 200..<300: return self.success(exchange, isComplete: isComplete, offset: offset)
        case 307, 308: return exchange.redirect(response)
        // "The server can use the problem type […] completed-upload" with 410, for an upload that is complete and no
        // longer available (§4.4.2).
        case 410 where response.problem == .completed: return .completed
        case 404, 410: return .gone
        // A server may refuse bytes for a complete upload with 400 and one of two problem types. Only the state of the
        // upload tells whether it is complete.
        case 400 where response.problem != nil: return .conflict
        case 409: return .conflict
        case 413: return .tooLarge
        default: return self.refusal(response, exchange)
        }
    }

    private func success(_ exchange: UploadExchange, isComplete: Bool?, offset: Int64?) -> UploadDecision {
        guard exchange.completes else {
            // Version 8 sends no offset: "A 2xx (Successful) status code indicates that representation data was
            // appended but the upload is not complete" (§4.4.1).
            return .appended(offset: offset ?? exchange.request.body?.upperBound)
        }
        // Version 6 sends no `Upload-Complete` with the answer of the resource: "The response MUST NOT include the
        // Upload-Complete header field with the value set to false" (draft -05, §6).
        if self.version == .six, isComplete == nil, offset ?? exchange.fileByteCount == exchange.fileByteCount {
            return .answer(.resumable)
        }
        return .appended(offset: offset)
    }

    // MARK: Cancellation (§4.5)

    private func cancellationDecision(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        switch response.status {
        case 200..<300, 404, 410: .cancelled
        case 307, 308: exchange.redirect(response)
        default: self.refusal(response, exchange)
        }
    }

    // MARK: All

    /// "4xx (Client Error) status code, the client SHOULD NOT attempt to retry or resume the upload, unless the semantics of the
    /// response allow or recommend the client to retry the request" (§4.3.1).
    private func refusal(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        exchange.transientStatusCodes.contains(response.status)
            ? .unavailable(status: response.status) : .fail(.refused(status: response.status))
    }

    private func incomplete(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        let received = self.byteCount(.uploadOffset, response.fields) ?? exchange.request.body?.upperBound ?? 0
        return .fail(.violation(.incompleteCompletion(received: received)))
    }

    private static func isSuccess(_ response: UploadResponse) -> Bool { 200..<300 ~= response.status }

    /// In version 6, a response that refuses the offset also has the state of the upload, such as `Upload-Complete`.
    private static func isConflict(_ response: UploadResponse) -> Bool {
        response.status == 409 && (response.problem != nil || response.fields.contains(.uploadOffset))
    }
}
