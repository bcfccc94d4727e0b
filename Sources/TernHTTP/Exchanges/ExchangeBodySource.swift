// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernRequests
import TernTransport

/// The body of a response that is still arriving; releasing it before its end abandons the rest.
final class ExchangeBodySource<Codec: ExchangeCodec & ~Copyable>: ResponseBodySource, HeldBody {
    let length: Int64?

    private let driver: ExchangeDriver<Codec>
    private let response: Response
    private let headByteCount: Int64

    init(_ driver: ExchangeDriver<Codec>, _ headByteCount: Int64, response: Response) {
        self.driver = driver
        self.headByteCount = headByteCount
        self.response = response
        self.length = response.contentLength
        driver.slot.heldBodies.add(self, of: driver.call.number)
    }

    deinit {
        self.discardUnlessRead()
        self.driver.slot.heldBodies.remove(self, of: self.call.number)
    }

    private var call: HTTPCall { self.driver.call }

    // MARK: Reading

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        switch self.driver.takeTurn() {
        case .granted(let progress): return try await self.advance(progress, atLeast: byteCount)
        case .finished: return nil
        case .misused(let misuse): throw .bodyMisused(misuse, self.call.context(.body))
        }
    }

    private func advance(
        _ progress: consuming ExchangeDriver<Codec>.Progress,
        atLeast byteCount: Int
    ) async throws(ClientError) -> ByteBuffer? {
        do throws(ResponseFailure) {
            switch try await self.read(&progress.codec, atLeast: byteCount) {
            case .body(let bytes):
                progress.receivedByteCount += Int64(bytes.readableBytes)
                let receivedByteCount = progress.receivedByteCount
                self.driver.giveBack(progress)
                self.call.observer?.didReceive(receivedByteCount, of: self.length)
                return bytes
            case .end, .head, .informational:
                self.response.receivedTrailers?.receive(progress.codec.trailers)
                while let waiter = self.driver.responseEnded(isReusable: progress.codec.isReusable) {
                    await self.driver.wait(for: waiter)
                }
                self.report(progress.codec)
                return nil
            }
        } catch {
            let isDiscarded = self.driver.readFailed()
            let failure = self.failure(by: error, isDiscarded, received: progress.receivedByteCount)
            self.call.observer?.didFail(failure)
            self.report(progress.codec)
            throw failure
        }
    }

    private func read(
        _ codec: inout Codec,
        atLeast byteCount: Int
    ) async throws(ResponseFailure) -> ResponseEvent {
        guard let idle = self.call.timeouts.idle else {
            return try await codec.next(atLeast: byteCount, deadline: self.call.deadline)
        }
        var start = self.call.clock.now
        while true {
            do throws(ResponseFailure) {
                let silence = CallDeadline(.idle, limit: idle, from: start)
                return try await codec.next(atLeast: byteCount, deadline: .earlier(silence, self.call.deadline))
            } catch {
                guard case .connection(.timedOut(let deadline)) = error, deadline.timeout == .idle,
                    let instant = self.driver.readIdleStart(since: start, lastSent: codec.lastSent)
                else { throw error }
                start = instant
            }
        }
    }

    /// Returns the error of a failed read: the caller's discard comes first, then a failure to send the body, then the failed read.
    private func failure(
        by error: ResponseFailure,
        _ isDiscarded: Bool,
        received byteCount: Int64
    ) -> ClientError {
        let response = self.response.httpResponse
        if isDiscarded { return .bodyMisused(.discarded, self.call.context(.body, response: response)) }
        if let failure = self.driver.requestFailure { return failure }
        return error.clientError(
            for: self.call,
            phase: .body,
            received: byteCount,
            expected: self.length,
            response: response
        )
    }

    private func report(_ codec: borrowing Codec) {
        guard let observer = self.call.observer else { return }
        observer.didReach(.finished(bodyByteCount: codec.decodedByteCount - self.headByteCount))
    }

    // MARK: Discarding

    func discard() { self.discard(isForced: true) }

    func discardUnlessRead() { self.discard(isForced: false) }

    /// Ends the exchange: if the bytes that have arrived complete the body, the driver gives the slot back, at once or when the
    /// request is sent; otherwise it closes the connection (HTTP/1.1) or resets the stream (HTTP/2).
    private func discard(isForced: Bool) {
        guard var progress = self.driver.discard(isForced: isForced) else { return }
        var allowance = DrainLimit.byteCount
        while allowance > 0, let event = try? progress.codec.nextAvailable() {
            guard case .body(let bytes) = event else { break }
            allowance -= bytes.readableBytes
        }
        self.driver.drained(isReusable: progress.codec.isReusable)
        // The call goes on at once, so its observers do not learn when the sender ends.
        self.report(progress.codec)
    }
}

/// The limit for reading the unwanted rest of a body to keep the connection.
private enum DrainLimit {
    /// The maximum number of bytes; only bytes that have arrived are read.
    static let byteCount = 512 << 10
}
