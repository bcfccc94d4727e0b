// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RequestBody {
    /// Makes a body that is written piece by piece, while the call sends it and its response is read.
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
    /// One call sends the body, once: a second call that is given it fails with `ClientError.uploadFailed`.
    ///
    /// - Parameters:
    ///   - length: How many bytes will be written; not negative. The piece that completes them goes out when the writer is
    ///     finished. Defaults to `nil`: the body is sent in chunks.
    ///   - contentType: Their media type. Defaults to `nil`.
    ///   - names: The names of the fields that ``Writer/finish(trailers:)`` will be given, which the head announces in
    ///     `Trailer` (RFC 9110 §6.6.2); the body is then sent in chunks, whatever its length. Defaults to none.
    /// - Returns: A body that cannot be sent again, and what writes it.
    public static func makeWriter(
        length: Int64? = nil,
        contentType: String? = nil,
        announcing names: [HTTPField.Name] = []
    ) -> (body: RequestBody, writer: Writer) {
        let driver = BodyWriterDriver()
        let stream = Stream(WrittenBody(driver), length: length)
        var body = RequestBody(.stream(stream), contentType: contentType)
        if !names.isEmpty { body.addedTrailers = AddedTrailers(announcing: names) }
        return (body, Writer(driver))
    }

    /// Writes the body that ``RequestBody/makeWriter(length:contentType:announcing:)`` made with it.
    ///
    /// Pieces wait for the connection, and none is kept behind another: ``write(_:)`` returns when the call has taken the
    /// piece, which it does when the connection has room for it. So a server that reads slowly slows the task that writes.
    ///
    /// Call ``finish(trailers:)`` at the end. A writer that is released without that fails the body, and the call with
    /// `ClientError.uploadFailed`, so that a request which is not complete does not look so.
    public final class Writer: Sendable {
        private let driver: BodyWriterDriver

        init(_ driver: BodyWriterDriver) { self.driver = driver }

        deinit { self.driver.fail(WriterReleased()) }

        /// Writes a piece, when the connection has taken the one before.
        ///
        /// Several tasks may write at once: pieces stay whole and go out in the order of the calls.
        ///
        /// - Parameter piece: The bytes, such as `Data`, `[UInt8]` or the `utf8` of a `String`.
        /// - Throws: `ClientError.uploadFailed`: with `.notNeeded` when the call has ended, however it did, or the server has
        ///   answered without the rest, by a status of 300 or more or by a response that is complete; with `.finished` after
        ///   ``finish(trailers:)`` and ``finish(throwing:)``. `.cancelled` when the task that writes is cancelled: then no
        ///   part of the piece was sent, and the body goes on.
        public nonisolated(nonsending) func write(_ piece: some Sequence<UInt8>) async throws(ClientError) {
            let context = ClientError.Context(phase: .send)
            switch await self.driver.write(piece as? Data ?? Data(piece)) {
            case .taken: return
            case .cancelled: throw .cancelled(context)
            case .finished: throw .uploadFailed(.finished, context)
            case .notNeeded: throw .uploadFailed(.notNeeded, context)
            }
        }

        /// Says that what was written is the whole body.
        ///
        /// It ends behind the pieces of tasks that still wait. Whether all of it arrives, the call tells. Once the writer is
        /// finished, doing so again changes nothing.
        ///
        /// - Parameter trailers: Fields that are sent behind the body (RFC 9110 §6.5), such as a digest of it. A body of which
        ///   a `length` was given has no place for them unless they were announced, and a field that servers need before the content, such as
        ///   `Authorization`, is left out. Defaults to `nil`: none.
        public func finish(trailers: HTTPFields? = nil) { self.driver.finish(trailers: trailers) }

        /// Ends the body before it is complete, so that the call fails with `ClientError.uploadFailed`.
        ///
        /// Pieces of tasks that still wait are not sent. Once the writer is finished, this changes nothing.
        ///
        /// - Parameter error: The reason. The call's error has the name of its type, and nothing of its content.
        public func finish(throwing error: any Error) { self.driver.fail(error) }
    }
}
