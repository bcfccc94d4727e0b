// SPDX-License-Identifier: Apache-2.0
import TernConnections
public import TernErrors
public import TernFoundation
public import TernRequests
import TernTransfers
import TernTransport

extension Client {
    /// Sends a file as the body of a request, and after an interruption, if possible, only the bytes that the server lacks.
    ///
    /// ```swift
    /// let upload = try await client.upload(
    ///     for: Request(.post, url),
    ///     fromFile: video,
    ///     resuming: .automatic
    /// )
    /// print(upload.response?.statusCode ?? 0)
    /// ```
    ///
    /// When the server announces that the upload can be resumed, it names a URL for the upload. The client then writes this URL and
    /// the properties of the file to a *record*, which it creates beside the file before the first request; if it may not write
    /// there, set ``UploadResumption/record``. After a lost connection, the client can ask the server how many bytes have arrived,
    /// and send the rest. If the process ends, a later call with the same file and the same request can continue in this way. When
    /// the upload is complete, the client deletes the record.
    ///
    /// With the default protocol, a server that cannot resume uploads processes the request like any other. The client then repeats
    /// the request only where that is safe (see ``UploadResumption/isRepeatable``), and ``ResumedUpload/isResumable`` is `false`.
    /// The file must not change until the upload is complete. If a later call finds that it has changed, the call fails, unless
    /// ``UploadResumption/restartsChangedFile`` is `true`. The body is never compressed. After a 413 (Content Too Large), the
    /// client usually tries shorter parts, down to 256 KiB. Interceptors, validation rules and the delegate apply to each request
    /// of the upload, such as each `HEAD` and each `PATCH`.
    ///
    /// - Parameters:
    ///   - request: The request that creates the upload, such as `Request(.post, url)`, without a body.
    ///   - fileURL: A regular file.
    ///   - resumption: The protocol, and the rules after an interruption, in place of the client's `RetryPolicy`. `.automatic`
    ///     uses the draft of the IETF; `.tus` uses the tus protocol.
    ///   - delegate: Handles this call's challenges and events. The progress of sending is that of the whole file, including
    ///     the bytes of earlier calls.
    /// - Returns: The answer of the server, with the number of bytes that this call did not have to send again.
    /// - Throws: `ClientError`, as ``data(for:delegate:)`` does; if a later call can continue the upload, the record stays. For
    ///   example, `.invalidRequest` when the request cannot have a body, or already has one; `.uploadFailed` when the file cannot
    ///   be read or has changed, or when the server cannot complete the upload; `.fileFailed` when the record cannot be written,
    ///   or with the reason `.inUse` when another call or process is uploading with the same record; `.protocolViolation` when
    ///   the server breaks a rule of the protocol.
    public func upload(
        for request: Request,
        fromFile fileURL: URL,
        resuming resumption: UploadResumption,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> ResumedUpload {
        try await self.upload(for: request, fromFile: fileURL, resuming: resumption, delegate: delegate, hooks: nil)
    }

    /// Cancels an unfinished upload: asks the server to delete what it has received, and deletes the record.
    ///
    /// The client sends `DELETE` to the URL of the upload (draft-ietf-httpbis-resumable-upload §4.5, and the termination
    /// extension of tus). Without a record, the method sends nothing. First cancel the task of a call that is still uploading the
    /// file.
    ///
    /// - Parameters:
    ///   - request: The request of the call that began the upload. Its credentials apply to a `DELETE` at the same origin, too.
    ///   - fileURL: The file of that call. It need not exist any more.
    ///   - resumption: The rules of that call, because they determine the location of the record.
    ///   - delegate: Handles this call's challenges and events.
    /// - Throws: `ClientError`, such as `.validationFailed` when the server refuses, perhaps because it does not support the
    ///   termination extension (405), but not if it does not know the upload (404 or 410); `.fileFailed` when the record cannot be
    ///   read or deleted, or with the reason `.inUse` when another call or process is uploading. The record usually stays.
    public func cancelUpload(
        for request: Request,
        fromFile fileURL: URL,
        resuming resumption: UploadResumption,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) {
        _ = try await self.upload(
            for: request,
            fromFile: fileURL,
            resuming: resumption,
            delegate: delegate,
            hooks: nil,
            to: .cancel
        )
    }

    package func upload(
        for request: Request,
        fromFile fileURL: URL,
        resuming resumption: UploadResumption,
        delegate: (any TaskDelegate)?,
        hooks: TransferHooks?
    ) async throws(ClientError) -> ResumedUpload {
        try await self.upload(
            for: request,
            fromFile: fileURL,
            resuming: resumption,
            delegate: delegate,
            hooks: hooks,
            to: .complete
        )
    }

    private func upload(
        for request: Request,
        fromFile fileURL: URL,
        resuming resumption: UploadResumption,
        delegate: (any TaskDelegate)?,
        hooks: TransferHooks?,
        to aim: ResumableUpload.Aim
    ) async throws(ClientError) -> ResumedUpload {
        let start = self.clock.now
        var plain = request
        plain.options.compression = nil
        let prepared = try await self.prepared(plain, delegate, from: start)
        let delegation = self.delegation(observing: prepared, delegate)
        do throws(ClientError) {
            let call = try self.call(prepared, delegation, from: start)
            delegation.begin(call)
            if let problem = Self.problem(of: request) {
                throw .invalidRequest(problem, call.context(.prepare))
            }
            let result = try await self.upload(fileURL, by: call, delegation, resumption, hooks, to: aim)
            await delegation.finish(nil)
            return result
        } catch {
            var error = error
            // No stage has handed a request to the transport; but an interceptor may have sent one in another way.
            let isInterceptors = if case .interceptorFailed = error { true } else { false }
            if delegation.meter.metrics.transactions.isEmpty, !isInterceptors { error.context.delivery = .notSent }
            await delegation.finish(error)
            throw error
        }
    }

    private func upload(
        _ file: URL,
        by call: HTTPCall,
        _ delegation: TaskDelegation,
        _ resumption: UploadResumption,
        _ hooks: TransferHooks?,
        to aim: ResumableUpload.Aim
    ) async throws(ClientError) -> ResumedUpload {
        let identity: FileIdentity
        do throws(FileReadError) {
            identity = try await ReadableFile.identity(path: file.path)
        } catch {
            // To cancel an upload, the client does not need its file.
            guard aim == .cancel else { throw .uploadFailed(error.reason, call.context(.prepare)) }
            identity = .none
        }
        let record: UploadRecordFile
        do throws(FileFailure) {
            record = try await UploadRecordFile.open(at: resumption.record ?? UploadRecordFile.location(for: file))
        } catch {
            throw .fileFailed(error, call.context(.prepare))
        }
        defer { record.finish() }
        var upload = ResumableUpload(
            call,
            delegation,
            of: file,
            resumption.configuration(of: call, identity),
            record,
            stages: self.stages(for: call),
            limits: (
                bodyByteCount: call.request.options.maximumBodyByteCount ?? self.configuration.maximumBodyByteCount,
                keptByteCount: self.configuration.maximumErrorBodyByteCount
            ),
            cache: self.configuration.cache.map { CacheInvalidation(store: $0) },
            hooks: hooks
        )
        return try await upload.run(aim)
    }
}
