// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernRequests
@_spi(CrossModuleInlining) import TernTransport

/// The body of a response that is still arriving.
///
/// It owns the rest of the exchange.
final class HTTP1BodySource: ResponseBodySource, HeldBody {
    private struct Progress: ~Copyable {
        var reader: ResponseReader
        var receivedByteCount: Int64 = 0
    }

    /// The maximum number of bytes of an unwanted rest that are read to keep the connection; only bytes that have
    /// arrived are read.
    private static let maximumDrainByteCount = 512 << 10

    let length: Int64?

    private let turn: ReadTurn<Progress>
    private let call: HTTPCall
    private let slot: Slot
    private let upload: Upload?
    private let response: Response
    /// The number of bytes of the response that were decoded before its body.
    private let headByteCount: Int64

    init(_ reader: consuming ResponseReader, _ call: HTTPCall, _ slot: Slot, _ upload: Upload?, response: Response) {
        self.headByteCount = reader.decodedByteCount
        self.turn = ReadTurn(Progress(reader: reader))
        self.call = call
        self.slot = slot
        self.upload = upload
        self.response = response
        self.length = response.contentLength
        slot.heldBodies.add(self, of: call.number)
    }

    deinit {
        self.discardUnlessRead()
        self.slot.heldBodies.remove(self, of: self.call.number)
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        guard let progress = try self.turn.take(self.call) else { return nil }
        return try await self.advance(progress, atLeast: byteCount)
    }

    private func advance(
        _ progress: consuming Progress,
        atLeast byteCount: Int
    ) async throws(ClientError) -> ByteBuffer? {
        do throws(ResponseReader.Failure) {
            switch try await self.read(&progress.reader, atLeast: byteCount) {
            case .body(let bytes):
                progress.receivedByteCount += Int64(bytes.readableBytes)
                let receivedByteCount = progress.receivedByteCount
                self.turn.giveBack(progress)
                self.call.observer?.didReceive(receivedByteCount, of: self.length)
                return bytes
            case .end, .head, .informational:
                self.response.receivedTrailers?.receive(progress.reader.trailers)
                self.finish(progress.reader)
                return nil
            }
        } catch {
            let isDiscarded = self.turn.end()
            self.upload?.cancel()
            self.slot.discard()
            let failure = self.failure(by: error, isDiscarded, received: progress.receivedByteCount)
            self.call.observer?.didFail(failure)
            self.report(progress.reader)
            throw failure
        }
    }

    /// Waits for the next event, as long as the server sends bytes or the request moves.
    private func read(
        _ reader: inout ResponseReader,
        atLeast byteCount: Int
    ) async throws(ResponseReader.Failure) -> ResponseReader.Event {
        guard let activity = self.upload?.activity, let idle = self.call.timeouts.idle else {
            let deadline = self.call.deadline(.idle, self.call.timeouts.idle)
            return try await reader.next(atLeast: byteCount, deadline: deadline)
        }
        activity.isReading(true)
        defer { activity.isReading(false) }
        var start = self.call.clock.now
        while true {
            do throws(ResponseReader.Failure) {
                let silence = CallDeadline(.idle, limit: idle, from: start)
                return try await reader.next(atLeast: byteCount, deadline: .earlier(silence, self.call.deadline))
            } catch {
                guard case .connection(.timedOut(let deadline)) = error, deadline.timeout == .idle,
                    let instant = activity.readIdleStart(since: start)
                else { throw error }
                start = instant
            }
        }
    }

    /// Returns the reason why reading failed; if there are several, the one that says the most.
    private func failure(
        by error: ResponseReader.Failure,
        _ isDiscarded: Bool,
        received byteCount: Int64
    ) -> ClientError {
        let response = self.response.httpResponse
        if isDiscarded { return .bodyMisused(.discarded, self.call.context(.body, response: response)) }
        if let failure = self.upload?.failure { return failure }
        return error.clientError(
            for: self.call,
            phase: .body,
            received: byteCount,
            expected: self.length,
            response: response
        )
    }

    private func finish(_ reader: borrowing ResponseReader) {
        self.turn.end()
        if reader.isReusable, self.upload?.isComplete ?? true {
            self.slot.giveBack()
        } else {
            self.upload?.cancel()
            self.slot.discard()
        }
        self.report(reader)
    }

    /// Reports that reading has ended, and how many bytes were read.
    private func report(_ reader: borrowing ResponseReader) {
        guard let observer = self.call.observer else { return }
        observer.didReach(.finished(bodyByteCount: reader.decodedByteCount - self.headByteCount))
    }

    func discard() {
        if let progress = self.turn.discard() { return self.abandon(progress) }
        // A reading task is woken when its connection closes. If the exchange is over, both calls do nothing.
        self.upload?.cancel()
        self.slot.discard()
    }

    func discardUnlessRead() {
        if let progress = self.turn.discard(isForced: false) { self.abandon(progress) }
    }

    /// Ends the exchange, because the rest is not needed.
    ///
    /// Bytes that have arrived already are read, because they may be the whole rest, and then the connection is kept.
    /// Otherwise the connection is closed: reading on would be work that no task waits for.
    private func abandon(_ taken: consuming Progress) {
        var progress = taken
        var allowance = Self.maximumDrainByteCount
        while allowance > 0, let event = try? progress.reader.nextAvailable() {
            guard case .body(let bytes) = event else { break }
            allowance -= bytes.readableBytes
        }
        self.finish(progress.reader)
    }
}
