// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests

extension UploadStateMachine {
    /// Makes the driver send the next request, which creates the upload, asks for the offset, or sends bytes.
    mutating func advance(after delay: Duration = .zero, first steps: [RecordStep] = []) -> UploadStep {
        do throws(ResumableUploadFailure) {
            guard let location = self.location else {
                return self.settle(steps, .send(try self.creation(), after: delay))
            }
            try self.checkLimits()
            guard let offset = self.offset else {
                return self.settle(steps, .send(self.locate(location), after: delay))
            }
            let request = try self.append(from: offset, to: location)
            try self.countShortPart(request)
            // Before a request that may complete the upload is sent, the record must say so. Otherwise, a later call
            // could send the file again, although the resource has processed it.
            let record = self.recordSteps(completing: request.body?.upperBound == self.length)
            return self.settle(steps + record, .send(request, after: delay))
        } catch {
            return self.giveUp(error)
        }
    }

    // MARK: Requests

    private func creation() throws(ResumableUploadFailure) -> UploadRequest {
        let sendsContent = self.dialect.completesExplicitly || self.configuration.tus.createsWithContent
        let body = sendsContent && !self.createsWithoutContent ? try self.nextPart(from: 0) : 0..<0
        return UploadRequest(
            .create,
            self.dialect.creationMethod ?? self.configuration.method,
            fields: self.dialect.creationFields(body, self.configuration),
            body: body,
            digest: self.dialect.sendsDigest && self.configuration.digest == nil
                ? self.configuration.hashAlgorithm : nil
        )
    }

    /// Keeps the digest for ``UploadRequest/digest``, so that the call does not read the file again to create the upload again.
    package mutating func hashed(_ digest: TransferDigest) { self.configuration.digest = digest }

    private func locate(_ location: UploadURL) -> UploadRequest {
        self.request(.locate, .head, location, self.dialect.fields)
    }

    private func append(from offset: Int64, to location: UploadURL) throws(ResumableUploadFailure) -> UploadRequest {
        let body = try self.nextPart(from: offset)
        let fields = self.dialect.appendFields(body, completes: body.upperBound == self.length)
        let checksum = self.dialect.completesExplicitly ? nil : self.configuration.tus.checksum
        return self.request(.append, .patch, location, fields, body, checksum)
    }

    func cancellation(of location: UploadURL) -> UploadRequest {
        self.request(.cancel, .delete, location, self.dialect.fields)
    }

    func redirected(_ request: UploadRequest, to url: UploadURL) -> UploadRequest {
        self.request(request.purpose, request.method, url, request.fields, request.body, request.checksum)
    }

    private func request(
        _ purpose: UploadRequest.Purpose,
        _ method: HTTPRequest.Method,
        _ url: UploadURL,
        _ fields: HTTPFields,
        _ body: Range<Int64>? = nil,
        _ checksum: HashAlgorithm? = nil
    ) -> UploadRequest {
        // Treat an upload at another origin like a redirect to there: credentials stay behind.
        let isCrossOrigin = url.origin != self.configuration.origin
        return UploadRequest(
            purpose,
            method,
            .upload(url),
            isCrossOrigin: isCrossOrigin,
            fields: fields,
            body: body,
            checksum: checksum
        )
    }

    // MARK: Limits

    /// "If the client discovers that it cannot continue the upload while adhering to the limits, it SHOULD stop the current
    /// request immediately and cancel the upload" (draft §4.1.4).
    func checkLimits() throws(ResumableUploadFailure) {
        if let maximum = self.limits.maximumByteCount, maximum < self.length { throw .tooLarge(limit: maximum) }
        if let minimum = self.limits.minimumByteCount, minimum > self.length { throw .tooSmall(limit: minimum) }
    }

    private func nextPart(from offset: Int64) throws(ResumableUploadFailure) -> Range<Int64> {
        let rest = self.length - offset
        let isChecked = !self.dialect.completesExplicitly && self.configuration.tus.checksum != nil
        let part = self.configuration.partByteCount ?? (isChecked ? UploadConfiguration.checkedPartByteCount : rest)
        var byteCount = min(part, self.refusedLimit ?? rest, rest)
        let minimum = self.limits.minimumPartByteCount ?? 0
        // "Requests completing the upload by including the Upload-Complete: ?1 header field are exempt from this limit"
        // (draft §4.1.4).
        if byteCount < rest { byteCount = min(max(byteCount, minimum), rest) }
        // "A client that is aware of this limit MUST NOT send larger upload append or upload creation requests".
        if let maximum = self.limits.maximumPartByteCount, maximum < byteCount {
            guard maximum > 0, maximum >= minimum else { throw .violation(.limits) }
            byteCount = maximum
        }
        return offset..<(offset + byteCount)
    }

    /// Counts a request whose part is short because the server allows no longer one; see ``checkLimits()``.
    private mutating func countShortPart(_ request: UploadRequest) throws(ResumableUploadFailure) {
        guard let body = request.body, body.upperBound < self.length,
            let maximum = self.limits.maximumPartByteCount, maximum < Self.shortPartByteCount,
            // The caller may have asked for short parts.
            maximum < self.configuration.partByteCount ?? .max
        else { return }
        self.shortPartCount += 1
        guard self.shortPartCount <= Self.maximumShortPartCount else {
            throw .violation(.partsTooShort(limit: maximum))
        }
    }

    /// Chooses a smaller part, because the content is longer than the server accepts (413, or a limit in an informational
    /// response).
    mutating func shrink(_ request: UploadRequest) -> UploadStep {
        self.shrinkCount += 1
        guard self.shrinkCount <= Self.maximumShrinkCount else { return self.giveUp(.violation(.limits)) }
        let sent = request.body.map { $0.upperBound - $0.lowerBound } ?? 0
        if let maximum = self.limits.maximumByteCount, maximum < self.length {
            return self.giveUp(.tooLarge(limit: maximum))
        }
        if !self.dialect.completesExplicitly, request.purpose == .create {
            // The server may refuse the length of the whole file, or only that of the content of this request.
            guard sent > 0 else { return self.giveUp(.tooLarge(limit: nil)) }
            self.createsWithoutContent = true
            return self.advance()
        }
        self.offset = nil
        if let maximum = self.limits.maximumPartByteCount, maximum < sent { return self.advance() }
        // "It SHOULD retry the request with a smaller size residing between min-append-size and max-append-size" (draft
        // §4.1.4). A proxy on the way does not say its limit.
        let minimum = max(self.limits.minimumPartByteCount ?? 0, Self.smallestPartByteCount)
        guard sent > minimum else { return self.giveUp(.tooLarge(limit: nil)) }
        self.refusedLimit = max(sent / 2, minimum)
        return self.advance()
    }
}
