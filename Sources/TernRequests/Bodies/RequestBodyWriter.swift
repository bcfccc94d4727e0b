// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors
import TernFoundation

extension RequestBody {
    /// Creates a body that the app writes piece by piece, while the call sends it and reads the response.
    ///
    /// ```swift
    /// let (body, writer) = RequestBody.makeWriter(contentType: "application/x-ndjson")
    /// async let reply = client.bytes(for: Request(.post, url).body(body))
    /// try await writer.write("one\n".utf8)
    /// try await writer.write("two\n".utf8)
    /// writer.finish()
    /// let (bytes, response) = try await reply
    /// ```
    ///
    /// Only one call can send the body, and only once; another call that tries fails with `ClientError.uploadFailed`.
    /// With `URLSession` on Linux, the call begins to send only when the body is complete.
    ///
    /// - Parameters:
    ///   - length: The number of bytes to write, not negative. When all of them are written, the client may hold back the last
    ///     piece until ``Writer/finish(trailers:)``. Without a length, the client's own transport sends chunks over HTTP/1.1.
    ///   - contentType: The media type of the bytes.
    ///   - names: The names of the trailers for ``Writer/finish(trailers:)``, which the head announces in `Trailer` (RFC 9110
    ///     §6.6.2). With names, the client sends the body without `Content-Length`, even if `length` is set.
    /// - Returns: A body that cannot be sent again, and its writer.
    public static func makeWriter(
        length: Int64? = nil,
        contentType: String? = nil,
        announcing names: [HTTPField.Name] = []
    ) -> (body: RequestBody, writer: Writer) {
        let driver = BodyWriterDriver()
        let stream = Stream(WriterBackedBody(driver), length: length)
        var body = RequestBody(.stream(stream), contentType: contentType)
        if !names.isEmpty { body.addedTrailers = AddedTrailers(announcing: names) }
        return (body, Writer(driver))
    }

    /// Writes a request body from ``RequestBody/makeWriter(length:contentType:announcing:)`` piece by piece.
    ///
    /// ``write(_:)`` returns when the call has taken the piece, so a server that reads slowly can slow down the writing task. Call
    /// ``finish(trailers:)`` at the end. If the app releases the writer while the call still waits for that, the upload fails with
    /// `ClientError.uploadFailed`, and the request does not look complete to the server.
    public final class Writer: Sendable {
        private let driver: BodyWriterDriver

        init(_ driver: BodyWriterDriver) { self.driver = driver }

        deinit { self.driver.fail(WriterReleased()) }

        /// Writes a piece, and waits until the call has taken it.
        ///
        /// Several tasks may write at the same time: each piece stays whole, and the pieces are sent in the order in which the
        /// tasks began to wait.
        ///
        /// - Parameter piece: The bytes, such as `Data`, `[UInt8]` or the `utf8` of a `String`.
        /// - Throws: `ClientError.uploadFailed(.notNeeded)` when the call has ended, when the app released the body before a call,
        ///   or when the server has answered without waiting for the rest: with a status of 300 or more, or with a complete
        ///   response. `ClientError.uploadFailed(.finished)` after ``finish(trailers:)`` or ``finish(throwing:)``.
        ///   `ClientError.cancelled` when the writing task is cancelled: no part of the piece was sent, and the body has not ended
        ///   because of that.
        public nonisolated(nonsending) func write(_ piece: some Sequence<UInt8>) async throws(ClientError) {
            let context = ClientError.Context(phase: .send)
            switch await self.driver.write(piece as? Data ?? Data(piece)) {
            case .taken: return
            case .cancelled: throw .cancelled(context)
            case .finished: throw .uploadFailed(.finished, context)
            case .notNeeded: throw .uploadFailed(.notNeeded, context)
            }
        }

        /// Completes the body after the pieces of tasks that still wait; has no effect once the writer is finished.
        ///
        /// Only the result of the client's call shows whether the upload succeeded.
        ///
        /// - Parameter trailers: Fields to send after the body (RFC 9110 §6.5), such as its digest. Over HTTP/1.1, a body with a
        ///   `length` may lose its trailers if no names were announced. Fields such as `Authorization` are left out (§6.5.1).
        public func finish(trailers: HTTPFields? = nil) { self.driver.finish(trailers: trailers) }

        /// Ends the body before it is complete, so that a call that still needs it fails with `ClientError.uploadFailed`.
        ///
        /// Pieces of tasks that still wait are not sent. Once the writer is finished, this method has no effect. The upload's error
        /// contains the name of the type of `error`, and nothing of its content.
        public func finish(throwing error: any Error) { self.driver.fail(error) }
    }
}
