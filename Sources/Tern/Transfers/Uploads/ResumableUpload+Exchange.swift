// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernDigests
import TernErrors
import TernFoundation
import TernRequests
import TernRetry
import TernTransfers
import TernTransport

extension ResumableUpload {
    mutating func send(_ request: UploadRequest, after delay: Duration) async -> UploadStep {
        self.discardReply()
        self.failure = nil
        do throws(ClientError) {
            try await self.prepareAttempt(after: delay)
            let attempt = try await self.attempt(for: request)
            attempt.delegation?.replace(with: attempt.request)
            let outcome = await self.exchange(attempt)
            if self.delegation.currentMethod != request.method { self.followsAnsweredRequest = true }
            if let step = await self.session.end() {
                (try? outcome.get())?.body.discard()
                return step
            }
            let reply = try outcome.get()
            self.reply = reply
            // An upload normally takes several requests. The next one is a repetition only after an error status.
            self.cause = reply.response.statusCode >= 400 ? .response(reply.response) : nil
            return try await self.received(reply)
        } catch {
            return self.failed(error, request)
        }
    }

    private func exchange(_ attempt: HTTPCall) async -> Result<HTTPReply, ClientError> {
        // The task below does not inherit the cancellation. It could send the request before it is cancelled.
        guard !Task.isCancelled else { return .failure(.cancelled(attempt.context(.prepare))) }
        let task = Task { [stages] () -> Result<HTTPReply, ClientError> in
            do throws(ClientError) {
                return .success(try await stages.respond(to: attempt))
            } catch {
                return .failure(error)
            }
        }
        self.session.begin { task.cancel() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private mutating func received(_ reply: HTTPReply) async throws(ClientError) -> UploadStep {
        let response = reply.response
        var problem: UploadProblem?
        let limit = UploadProblem.maximumByteCount
        // A longer body describes no problem, and may be the answer of the call.
        if UploadProblem.isExpected(status: response.statusCode, fields: response.fields),
            reply.body.length ?? 0 <= limit
        {
            do throws(ClientError) {
                let body = try await reply.collect(limit: limit, for: self.call)
                (problem, self.body) = (UploadProblem(decoding: Array(body)), .success(body))
            } catch {
                if error.isCancellation { throw error }
                self.body = .failure(error)
            }
        }
        return self.receivedHead(response.statusCode, response.fields, from: response.url, problem)
    }

    private mutating func receivedHead(
        _ status: Int,
        _ fields: HTTPFields,
        from url: URL,
        _ problem: UploadProblem?
    ) -> UploadStep {
        self.head = (status, fields)
        let response = UploadResponse(status: status, fields: fields, url: url, problem: problem)
        let now = self.call.clock.date
        var generator = self.generator
        defer { self.generator = generator }
        return self.session.update { machine in machine.received(response, now: now, using: &generator) }
    }

    private mutating func failed(_ failure: ClientError, _ request: UploadRequest) -> UploadStep {
        var error = failure
        if self.followsAnsweredRequest { error.context.delivery = .unknown }
        (self.failure, self.cause) = (error, .failure(error))
        switch error {
        case .uploadFailed(.fileChanged, _): return self.session.update { machine in machine.fileChanged() }
        case .uploadFailed: return self.session.update { machine in machine.fileFailed() }
        case .validationFailed(let refusal, let context):
            // The client's validation rules may refuse a status that the machine can use, such as 409 or 503.
            guard case .status(let code) = refusal.rule else { break }
            let problem = refusal.isBodyComplete ? UploadProblem(decoding: Array(refusal.body)) : nil
            let fields = context.response?.headerFields ?? [:]
            return self.receivedHead(code, fields, from: self.url(of: request), problem)
        default: break
        }
        var generator = self.generator
        defer { self.generator = generator }
        return self.session.update { machine in machine.cut(by: error, using: &generator) }
    }

    /// Tells the delegates about each request after the first, and waits until the request is due.
    private mutating func prepareAttempt(after delay: Duration) async throws(ClientError) {
        guard self.hasSent else {
            self.hasSent = true
            return
        }
        try await self.call.beginNextAttempt(after: delay, because: self.cause)
        self.cause = nil
    }

    // MARK: Requests

    private func url(of request: UploadRequest) -> URL {
        switch request.target {
        case .resource: self.call.request.url
        case .upload(let upload): upload.url
        }
    }

    private func attempt(for request: UploadRequest) async throws(ClientError) -> HTTPCall {
        var attempt = self.call
        if case .upload(let upload) = request.target {
            attempt.request = self.call.request.following(upload.url, isCrossOrigin: request.isCrossOrigin)
            attempt.request.options.redirects = .never
            // The server chose this origin. A signer must learn that, as after a redirect.
            if request.isCrossOrigin { attempt.request.options[FirstOriginOption.self] = self.call.destination.origin }
            do throws(RequestFailure) {
                attempt.destination = try attempt.request.destination()
            } catch {
                throw .invalidRequest(error, self.call.context(.prepare))
            }
        }
        attempt.request.method = request.method
        for field in request.fields { attempt.request.fields[field.name] = field.value }
        if let range = request.body {
            var body = self.content(in: range)
            body.contentType = self.call.request.body?.contentType
            attempt.request.body = body
            if let checksum = request.checksum, let name = HTTPField.Name("Upload-Checksum") {
                attempt.request.fields[name] = try await self.value(of: checksum, for: body)
            }
        } else {
            attempt.request.body = nil
        }
        if let algorithm = request.digest, !attempt.request.fields.contains(.reprDigest) {
            attempt.request.fields[.reprDigest] = try await self.digest(by: algorithm).text
        }
        attempt.request.options.bypassesCache = true
        attempt.request.options.compression = nil
        attempt.request.options.retry = RetryPolicy(maximumAttemptCount: 1)
        if attempt.request.isRepeatable, !self.session.update({ machine in machine.mayRepeat(request) }) {
            attempt.request.options.isRepeatable = false
        }
        attempt.setObserver(self.session.observeNext(for: self.delegation))
        return attempt
    }

    private func content(in range: Range<Int64>) -> RequestBody {
        .file(self.file, part: RequestBody.FilePart(range, of: self.identity))
    }

    private func value(of checksum: HashAlgorithm, for body: RequestBody) async throws(ClientError) -> String {
        var hasher = UploadPartHasher(checksum)
        try await self.read(body) { hasher.update($0) }
        return hasher.fieldValue
    }

    private func digest(by algorithm: HashAlgorithm) async throws(ClientError) -> DigestField {
        var hasher = ContentHasher([algorithm])
        try await self.read(self.content(in: 0..<self.identity.byteCount)) { hasher.update($0) }
        let field = hasher.finalize()
        if let value = field.digests[algorithm], let digest = TransferDigest(algorithm, value) {
            self.session.update { machine in machine.hashed(digest) }
        }
        return field
    }

    /// Reads a part of the file piece by piece, until the task is cancelled or the call's time is up.
    private func read(
        _ body: RequestBody,
        _ update: (UnsafeRawBufferPointer) -> Void
    ) async throws(ClientError) {
        do {
            for try await piece in try FilePieces(path: self.file.path, part: body.filePart) {
                if Task.isCancelled { throw ClientError.cancelled(self.context) }
                try self.call.checkDeadline()
                piece.withUnsafeBytes { update($0) }
            }
        } catch let error as ClientError {
            throw error
        } catch let error as FileReadError {
            throw .uploadFailed(error.reason, self.context)
        } catch {
            throw .uploadFailed(.streamFailed(type: "\(type(of: error))"), self.context)
        }
    }
}

extension Request {
    /// Returns a request for a URL that the server has named, without fields about the content, and without secrets for another
    /// origin.
    fileprivate func following(_ url: URL, isCrossOrigin: Bool) -> Request {
        var request = self
        request.url = isCrossOrigin ? url : RedirectStep.keepingUser(of: self.url, in: url)
        request.body = nil
        request.options.expectsContinue = nil
        RedirectStep.dropContentFields(&request)
        // These fields, too, are about the resource and not about the upload.
        for name in ["Content-Disposition", "Range", "If-Match", "If-None-Match", "If-Modified-Since"]
            + ["If-Unmodified-Since", "If-Range"]
        {
            if let name = HTTPField.Name(name) { request.fields[name] = nil }
        }
        if isCrossOrigin { RedirectStep.dropSecrets(&request) }
        return request
    }
}
