// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
public import TernErrors
public import TernFoundation
public import TernRequests
public import TernTransport

extension Client {
    /// Fetches a URL into a file.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - destination: The location of the file. Defaults to `nil`: a new temporary file.
    ///   - delegate: Handles this call's challenges and events, progress included. Defaults to `nil`.
    /// - Returns: The location of the body, and the response, with any status that the validation rules accept; see
    ///   ``download(for:to:delegate:)``.
    /// - Throws: `ClientError`: `.fileFailed` when the file cannot be written; `.validationFailed` when a validation
    ///   rule rejects the response; `.cancelled` when the task is cancelled, which ends the call at once. A call that
    ///   throws leaves no file behind.
    public func download(
        from url: URL,
        to destination: URL? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (URL, Response) {
        try await self.download(for: Request(url: url), to: destination, delegate: delegate)
    }

    /// Sends a request and stores the body of the response in a file.
    ///
    /// However long the body is, only a few buffers of it are in memory. Only the owner of the file can read it (mode
    /// 0600).
    ///
    /// Without a destination, the client writes the body to a new temporary file, which the caller moves or deletes.
    /// With a destination, the complete body of a *successful* response (2xx) replaces the file there in one step. The
    /// client writes the body of any other response to a temporary file, so that an error page never replaces a good
    /// file. To know which of the two places has the body, compare the returned location with the destination, or check
    /// the status.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: A file URL in an existing folder. Defaults to `nil`: a new temporary file.
    ///   - delegate: Handles this call's challenges and events, progress included. Defaults to `nil`.
    /// - Returns: The location of the body, and the response, with any status that the validation rules accept.
    /// - Throws: `ClientError`: `.fileFailed` when the file cannot be written (as far as possible, the client checks
    ///   this before it sends the request); `.bodyTooLarge` when the body exceeds the request's own limit
    ///   (`RequestOptions.maximumBodyByteCount`), if it has one; `.validationFailed` when a validation rule rejects the
    ///   response; `.cancelled` when the task is cancelled, which ends the call at once. A call that throws leaves no
    ///   file behind.
    public func download(
        for request: Request,
        to destination: URL? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (URL, Response) {
        let place: FileDestination
        let sink: FileSink
        do throws(ClientError) {
            place = try await Self.storing { () throws(FileSink.Failure) in try FileDestination(destination) }
            sink = try await Self.storing { () async throws(FileSink.Failure) in try await place.openWithRoom() }
        } catch {
            throw await self.refusing(error, request, delegate)
        }
        do throws(ClientError) {
            let (call, reply) = try await self.exchange(request, delegate)
            return try await call.completing(reply) { reply async throws(ClientError) in
                let limit = request.options.maximumBodyByteCount ?? .max
                return try await Self.store(reply, of: call, in: sink, at: place, for: destination, limit: limit)
            }
        } catch {
            await sink.discard()
            throw error
        }
    }

    /// Stores the body of a successful response at the destination, and any other body in a temporary file.
    private static func store(
        _ reply: HTTPReply,
        of call: HTTPCall,
        in sink: FileSink,
        at place: FileDestination,
        for destination: URL?,
        limit: Int
    ) async throws(ClientError) -> (URL, Response) {
        guard destination != nil, !reply.response.isSuccess else {
            return (try await Self.store(reply, of: call, in: sink, at: place, limit: limit), reply.response)
        }
        let other = try await Self.storing { () throws(FileSink.Failure) in try FileDestination(nil) }
        let otherSink = try await Self.storing { () async throws(FileSink.Failure) in try await other.openWithRoom() }
        do throws(ClientError) {
            let location = try await Self.store(reply, of: call, in: otherSink, at: other, limit: limit)
            await sink.discard()
            return (location, reply.response)
        } catch {
            await otherSink.discard()
            throw error
        }
    }

    private static func store(
        _ reply: HTTPReply,
        of call: HTTPCall,
        in sink: FileSink,
        at place: FileDestination,
        limit: Int
    ) async throws(ClientError) -> URL {
        if let length = reply.body.length, length > limit { throw reply.tooLarge(limit, call) }
        let context = { call.context(.store, response: reply.response.httpResponse) }
        var reader = reply.body.makeReader()
        var byteCount = 0
        while let bytes = try await reader.next(atLeast: HTTPReply.gatheredByteCount) {
            byteCount += bytes.readableBytes
            if byteCount > limit { throw reply.tooLarge(limit, call) }
            try await Self.storing(context) { () async throws(FileSink.Failure) in try await sink.write(bytes) }
        }
        return try await Self.storing(context) { () async throws(FileSink.Failure) in try await sink.finish(at: place) }
    }

    /// Runs a file operation, and turns its failure into a `ClientError` with a context.
    ///
    /// Before the call begins, the context contains only the phase.
    private static func storing<Value>(
        _ context: () -> ClientError.Context = { ClientError.Context(phase: .store) },
        _ body: () async throws(FileSink.Failure) -> Value
    ) async throws(ClientError) -> Value {
        do throws(FileSink.Failure) {
            return try await body()
        } catch {
            switch error {
            case .cancelled: throw .cancelled(context())
            case .file(let reason): throw .fileFailed(reason, context())
            }
        }
    }
}
