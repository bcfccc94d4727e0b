// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernFoundation

/// A reference to a body that a ``RequestBody/Writer`` writes, released with the body's last copy; a call has its own reference.
final class WriterBackedBody: Sendable {
    private let driver: BodyWriterDriver
    private let isOfCall: Bool

    init(_ driver: BodyWriterDriver, isOfCall: Bool = false) {
        self.driver = driver
        self.isOfCall = isOfCall
    }

    deinit { self.driver.releaseBody(byCall: self.isOfCall) }

    func makeReader() -> RequestBody.Reader { WrittenBodyReader(self.driver) }

    /// Returns a reference for a call; `nil` if another call has one or had one.
    func claimedByCall() -> WriterBackedBody? {
        self.driver.beginCall() ? WriterBackedBody(self.driver, isOfCall: true) : nil
    }

    func endCall() { self.driver.endCall() }
}

extension RequestBody {
    /// Returns the body for one call, of whose end the writer learns; `nil` without a writer, or if a call has claimed the body.
    package func claimedByCall() -> RequestBody? {
        guard case .stream(let stream) = self.content, let written = stream.written?.claimedByCall() else { return nil }
        var body = RequestBody(.stream(Stream(written, length: stream.length)), contentType: self.contentType)
        body.addedTrailers = self.addedTrailers
        return body
    }

    package func endCall() {
        guard case .stream(let stream) = self.content else { return }
        stream.written?.endCall()
    }
}

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
        guard self.mayRead else { throw BodyEnded() }
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
