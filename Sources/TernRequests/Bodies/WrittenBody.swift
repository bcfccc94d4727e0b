// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reference to a body that is written by hand; released with the last copy of a ``RequestBody``, or with that of a call.
final class WrittenBody: Sendable {
    private let driver: BodyWriterDriver
    private let isOfCall: Bool

    init(_ driver: BodyWriterDriver, isOfCall: Bool = false) {
        self.driver = driver
        self.isOfCall = isOfCall
    }

    deinit { self.driver.releaseBody(byCall: self.isOfCall) }

    func makeReader() -> RequestBody.Reader { WrittenBodyReader(self.driver) }

    /// A reference that a call holds; `nil` if one does.
    func ofCall() -> WrittenBody? {
        self.driver.beginCall() ? WrittenBody(self.driver, isOfCall: true) : nil
    }

    func endCall() { self.driver.endCall() }
}

extension RequestBody {
    /// The body for one call, if it is written by hand: what the call does not read when it has ended, is not needed.
    ///
    /// - Returns: `nil` for all other bodies, and if another call has it.
    package func ofCall() -> RequestBody? {
        guard case .stream(let stream) = self.content, let written = stream.written?.ofCall() else { return nil }
        var body = RequestBody(.stream(Stream(written, length: stream.length)), contentType: self.contentType)
        body.addedTrailers = self.addedTrailers
        return body
    }

    /// Tells the writer of the body, if it is written by hand, that no more of it is needed.
    package func endCall() {
        guard case .stream(let stream) = self.content else { return }
        stream.written?.endCall()
    }
}

/// Gives what is written.
private final class WrittenBodyReader: RequestBody.Reader {
    private let driver: BodyWriterDriver
    private let mayRead: Bool
    private var receivedTrailers: HTTPFields?

    init(_ driver: BodyWriterDriver) {
        self.driver = driver
        self.mayRead = driver.makeReader()
        super.init()
    }

    deinit { if self.mayRead { self.driver.releaseReader() } }

    override var trailers: HTTPFields? { self.receivedTrailers }

    override func next(isolation: isolated (any Actor)? = #isolation) async throws -> Data? {
        guard self.mayRead else { throw BodyIsOver() }
        switch await self.driver.read(isolation: isolation) {
        case .piece(let piece): return piece
        case .end(let trailers):
            self.receivedTrailers = trailers
            return nil
        case .failed(let error): throw error
        case .cancelled: throw CancellationError()
        }
    }
}
