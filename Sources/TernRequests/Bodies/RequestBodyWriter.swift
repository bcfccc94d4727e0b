// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
    /// One call sends the body, once: a second call with it fails with `ClientError.uploadFailed`.
    ///
    /// - Parameters:
    ///   - length: The number of bytes to write, not negative. The piece that completes them is sent when the writer is
    ///     finished. Defaults to `nil`, which sends the body in chunks.
    ///   - contentType: The media type of the bytes. Defaults to `nil`.
    ///   - names: The names of the fields for ``Writer/finish(trailers:)``, which the head announces in `Trailer` (RFC
    ///     9110 §6.6.2). The body is then sent in chunks, whatever its length. Defaults to no names.
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

    /// Writes a request body that ``RequestBody/makeWriter(length:contentType:announcing:)`` created with it.
    ///
    /// Pieces wait for the connection; none is buffered. ``write(_:)`` returns when the call has taken the piece, which
    /// it does when the connection has room for it. A server that reads slowly therefore slows down the writing task.
    ///
    /// Call ``finish(trailers:)`` at the end. If the writer is released without that, the body fails, and the call
    /// throws `ClientError.uploadFailed`, so that an incomplete request does not look complete.
    public final class Writer: Sendable {
        private let driver: BodyWriterDriver

        init(_ driver: BodyWriterDriver) { self.driver = driver }

        deinit { self.driver.fail(WriterReleased()) }

        /// Writes a piece.
        ///
        /// Returns when the call has taken it.
        ///
        /// Several tasks may write at the same time: pieces stay whole and are sent in the order of the calls.
        ///
        /// - Parameter piece: The bytes, such as `Data`, `[UInt8]` or the `utf8` of a `String`.
        /// - Throws: `ClientError.uploadFailed` with `.notNeeded` when the call has ended for any reason, or when the
        ///   server has answered without the rest: with a status of 300 or more, or with a complete response. With
        ///   `.finished` after ``finish(trailers:)`` or ``finish(throwing:)``. `ClientError.cancelled` when the writing
        ///   task is cancelled: no part of the piece was sent, and the body can continue.
        public nonisolated(nonsending) func write(_ piece: some Sequence<UInt8>) async throws(ClientError) {
            let context = ClientError.Context(phase: .send)
            switch await self.driver.write(piece as? Data ?? Data(piece)) {
            case .taken: return
            case .cancelled: throw .cancelled(context)
            case .finished: throw .uploadFailed(.finished, context)
            case .notNeeded: throw .uploadFailed(.notNeeded, context)
            }
        }

        /// Completes the body.
        ///
        /// The body ends after the pieces of tasks that still wait. The call reports whether all of it arrived.
        /// Finishing again has no effect.
        ///
        /// - Parameter trailers: Fields to send after the body (RFC 9110 §6.5), such as its digest. A body with a
        ///   `length` cannot carry them unless they were announced. A field that servers need before the content, such
        ///   as `Authorization`, is left out. Defaults to `nil`.
        public func finish(trailers: HTTPFields? = nil) { self.driver.finish(trailers: trailers) }

        /// Ends the body before it is complete, so that the call fails with `ClientError.uploadFailed`.
        ///
        /// Pieces of tasks that still wait are not sent. After the writer is finished, this has no effect.
        ///
        /// - Parameter error: The reason. The call's error contains the name of its type, and nothing of its content.
        public func finish(throwing error: any Error) { self.driver.fail(error) }
    }
}
