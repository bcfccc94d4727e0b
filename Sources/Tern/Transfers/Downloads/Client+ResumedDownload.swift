// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernFoundation
public import TernRequests
public import TernTransfers

extension Client {
    package static func hasUnfinishedDownload(to destination: URL) -> Bool { PartialFile.hasRecord(for: destination) }

    /// Downloads a URL, as ``download(for:to:resuming:expecting:maximumConcurrentRequestCount:delegate:)`` does for a request.
    public func download(
        from url: URL,
        to destination: URL,
        resuming policy: ResumptionPolicy,
        expecting checksum: Checksum? = nil,
        maximumConcurrentRequestCount: Int = 1,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> ResumedDownload {
        try await self.download(
            for: Request(url: url),
            to: destination,
            resuming: policy,
            expecting: checksum,
            maximumConcurrentRequestCount: maximumConcurrentRequestCount,
            delegate: delegate
        )
    }

    /// Sends a request and stores the body of the response in a file, and, if possible, continues where an earlier call stopped.
    ///
    /// ```swift
    /// let download = try await client.download(from: url, to: file, resuming: .automatic)
    /// print("\(download.resumedByteCount) of \(download.byteCount) bytes were there")
    /// ```
    ///
    /// Until the file is complete, its bytes are in a *partial file* beside the destination; for later calls, a *record* says
    /// which of them are safe on the disk, and the version of the resource. After a lost connection, the client can request the
    /// bytes that are missing (RFC 9110 §14). If the process ends or the machine fails, a later call with the same destination can
    /// request them, usually also with a new URL if the old one has expired. If the resource has changed, the download begins again
    /// (see ``ResumedDownload/restart``): the client does not put bytes of two versions into one file. The complete file replaces a
    /// file at the destination in one step.
    ///
    /// The client can continue only if the server sends a strong validator: a strong entity tag, or, without any entity tag, a
    /// `Last-Modified` that is at least a minute older than the response (§8.8.2.2). Otherwise the download begins again after each
    /// interruption. The request accepts no content coding, and does not use the client's cache. The validation rules check each
    /// response, so a rule about the length checks that of a part. Interceptors and the delegate see each request, too.
    ///
    /// With `maximumConcurrentRequestCount`, the call requests several ranges at the same time: over HTTP/1.1 on as many
    /// connections, within the client's limit for the host, and over HTTP/2 usually as streams of one connection. This can help if
    /// the server, or a device on the way, limits the speed of each response. The first response must be a part of the resource; in
    /// a new download, with a strong validator and the complete length. Otherwise the call makes one request after the other.
    ///
    /// - Parameters:
    ///   - request: A `GET` without a body, and without `Range` and `If-Range`.
    ///   - destination: A file URL in an existing folder. If the file system has permissions, the file has mode 0600.
    ///   - policy: The rules after an interruption, in place of the client's `RetryPolicy`. `.automatic` repeats the request;
    ///     `.manual` ends the call.
    ///   - checksum: The hash that the file must have. With `nil`, the client checks the SHA-256 or SHA-512 of the whole file
    ///     that the server sends in `Repr-Digest` or `Content-Digest` (RFC 9530), if it sends one.
    ///   - maximumConcurrentRequestCount: The maximum number of ranges that the call requests at the same time, from 1 to 16;
    ///     another value counts as the nearest. Defaults to 1, because most servers send one response as fast as several.
    ///   - delegate: Handles this call's challenges and events. The progress counts the bytes of earlier calls, too, and does not
    ///     decrease unless the resource changed.
    /// - Returns: The location of the complete file, and what this call did for it.
    /// - Throws: `ClientError`, as ``data(for:delegate:)`` does. If a later call can continue with the bytes that have arrived,
    ///   they stay; if the complete file does not have its hash, they are deleted. `.invalidRequest(.notResumable, …)` for
    ///   another kind of request; `.fileFailed(.inUse, …)` when another call or process is downloading to the destination, and
    ///   `.fileFailed` with another reason when the file cannot be written; `.validationFailed` when the server refuses the
    ///   request, as with 404; `.digestFailed` when the file or a response does not have its hash; `.protocolViolation` when the
    ///   server breaks the rules about ranges, in most cases a second time; `.bodyTooLarge` when the file exceeds the request's
    ///   own limit; `.cancelled` as soon as the bytes are safe.
    public func download(
        for request: Request,
        to destination: URL,
        resuming policy: ResumptionPolicy,
        expecting checksum: Checksum? = nil,
        maximumConcurrentRequestCount: Int = 1,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> ResumedDownload {
        try await self.download(
            for: request,
            to: destination,
            resuming: policy,
            expecting: checksum,
            maximumConcurrentRequestCount: maximumConcurrentRequestCount,
            delegate: delegate,
            hooks: nil
        )
    }

    package func download(
        for request: Request,
        to destination: URL,
        resuming policy: ResumptionPolicy,
        expecting checksum: Checksum?,
        maximumConcurrentRequestCount: Int = 1,
        delegate: (any TaskDelegate)?,
        hooks: TransferHooks?
    ) async throws(ClientError) -> ResumedDownload {
        let start = self.clock.now
        let request = try await self.prepared(request, delegate, from: start)
        let delegation = self.delegation(for: request, delegate)
        do throws(ClientError) {
            let call = try self.call(request, delegation, from: start)
            delegation?.begin(call)
            delegation?.leaveProgressToCall()
            if let problem = UnsuitableRequest(request) {
                throw .invalidRequest(.notResumable(problem.wording), call.context(.prepare))
            }
            var download = try await DurableDownload(
                call,
                to: destination,
                resuming: policy,
                expecting: checksum?.digest,
                stages: self.stages(for: call),
                keptByteCount: self.configuration.maximumErrorBodyByteCount,
                maximumRequestCount: maximumConcurrentRequestCount,
                hooks: hooks
            )
            let result = try await download.run()
            await delegation?.finish(nil)
            return result
        } catch {
            await delegation?.finish(error)
            throw error
        }
    }
}
