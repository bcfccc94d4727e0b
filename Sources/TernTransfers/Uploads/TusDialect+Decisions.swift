// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

extension TusDialect {
    package func decision(about response: UploadResponse, to exchange: UploadExchange) -> UploadDecision {
        switch exchange.request.purpose {
        case .create: self.creationDecision(response, exchange)
        case .locate: self.locationDecision(response, exchange)
        case .append: self.appendDecision(response, exchange)
        case .cancel: self.cancellationDecision(response, exchange)
        }
    }

    // MARK: Creation

    private func creationDecision(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        switch response.status {
        case 200..<300:
            guard self.isUsable(response.fields) else { return .fail(.unsupported) }
            let isWithoutContent = exchange.request.body?.isEmpty ?? true
            do throws(LocationViolation) {
                let url = try exchange.location(in: response)
                // The upload of an empty file is complete as soon as it exists.
                if exchange.fileByteCount == 0 { return .answer(.resumable) }
                // A server without the extension Creation With Upload ignores the content, and sends no offset.
                let offset = isWithoutContent ? 0 : self.byteCount(.uploadOffset, response.fields)
                return offset == exchange.fileByteCount ? .answer(.resumable) : .created(url, offset: offset)
            } catch {
                return .fail(.violation(.location(error)))
            }
        // "If the length of the upload exceeds the maximum, […] the Server MUST respond with 413".
        case 413: return .tooLarge
        // "If the version specified by the Client is not supported by the Server, it MUST respond with the 412
        // Precondition Failed status".
        case 412: return .fail(.unsupported)
        default: return self.refusal(response, exchange)
        }
    }

    // MARK: HEAD

    private func locationDecision(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        switch response.status {
        case 200..<300:
            guard self.isUsable(response.fields) else { return .fail(.violation(.tusVersion)) }
            guard let offset = self.byteCount(.uploadOffset, response.fields) else {
                return .fail(.violation(.offsetMissing))
            }
            if let length = self.byteCount(.uploadLength, response.fields), length != exchange.fileByteCount {
                return .fail(.violation(.otherLength(file: exchange.fileByteCount, received: length)))
            }
            return .located(offset: offset, isComplete: offset == exchange.fileByteCount)
        case 404, 410: return .gone
        default: return self.other(response, exchange)
        }
    }

    // MARK: PATCH

    private func appendDecision(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        switch response.status {
        case 200..<300:
            guard self.isUsable(response.fields) else { return .fail(.violation(.tusVersion)) }
            // "It MUST include the Upload-Offset header containing the new offset."
            guard let offset = self.byteCount(.uploadOffset, response.fields) else {
                return .fail(.violation(.offsetMissing))
            }
            return offset == exchange.fileByteCount && exchange.completes
                ? .answer(.resumable) : .appended(offset: offset)
        // "If the offsets do not match, the Server MUST respond with the 409 Conflict status".
        case 409: return .conflict
        case 404, 410: return .gone
        case 413: return .tooLarge
        // "460 Checksum Mismatch": the server has discarded the content.
        case 460 where exchange.request.checksum != nil: return .checksumMismatch
        default: return self.other(response, exchange)
        }
    }

    // MARK: DELETE

    private func cancellationDecision(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        switch response.status {
        case 200..<300, 404, 410: .cancelled
        default: self.other(response, exchange)
        }
    }

    // MARK: All

    private func other(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        switch response.status {
        case 307, 308: exchange.redirect(response)
        case 412: .fail(.violation(.tusVersion))
        default: self.refusal(response, exchange)
        }
    }

    private func refusal(_ response: UploadResponse, _ exchange: UploadExchange) -> UploadDecision {
        // 423 is not in the text of the protocol, but the reference server sends it while the previous connection still
        // holds the lock of the upload.
        response.status == 423 || exchange.transientStatusCodes.contains(response.status)
            ? .unavailable(status: response.status) : .fail(.refused(status: response.status))
    }
}
