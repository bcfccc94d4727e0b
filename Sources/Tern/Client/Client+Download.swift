// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
public import TernErrors
public import TernFoundation
public import TernRequests
public import TernTransport

extension Client {
    /// Fetches a URL into a file, as ``download(for:to:delegate:)`` does for a request.
    public func download(
        from url: URL,
        to destination: URL? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (URL, Response) {
        try await self.download(for: Request(url: url), to: destination, delegate: delegate)
    }

    /// Sends a request and stores the body of the response in a file, a few buffers at a time.
    ///
    /// Without a destination, the client writes the body to a new temporary file, which the caller moves or deletes. With a
    /// destination, the complete body of a *successful* response (2xx) replaces the file there in one step; the body of any other
    /// response goes to a temporary file, so that an error page never replaces a good file. Compare the `path` of the returned
    /// location with that of the destination to know which. Only the owner of the file can read it (mode 0600).
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: A file URL in an existing folder; `nil` for a new temporary file.
    ///   - delegate: Handles this call's challenges and events, progress included.
    /// - Returns: The location of the body, and the response.
    /// - Throws: `ClientError`, as ``data(for:delegate:)`` does, and `.fileFailed` when the file cannot be written, which the
    ///   client checks, as far as it can, before it sends the request. `.bodyTooLarge` applies to the request's own limit
    ///   (`RequestOptions.maximumBodyByteCount`) and to the length in ``Configuration/inflationLimits``, not to
    ///   ``Configuration/maximumBodyByteCount``. A call that throws leaves no new file.
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
