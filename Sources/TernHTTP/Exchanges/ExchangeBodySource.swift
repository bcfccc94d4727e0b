// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernRequests
@_spi(CrossModuleInlining) import TernTransport

/// The body of a response that is still arriving.
///
/// This object owns the rest of the exchange.
final class ExchangeBodySource<Codec: ExchangeCodec & ~Copyable>: ResponseBodySource, HeldBody {
    private struct Progress: ~Copyable, Sendable {
        var codec: Codec
        var receivedByteCount: Int64 = 0
    }

    let length: Int64?

    private let turn: ReadTurn<Progress>
    private let call: HTTPCall
    private let slot: Slot
    private let upload: Upload?
    private let control: any ExchangeControl
    private let response: Response
    /// The number of bytes before the body: the head and the interim responses.
    private let headByteCount: Int64

    init(_ codec: consuming Codec, _ call: HTTPCall, _ slot: Slot, _ upload: Upload?, response: Response) {
        self.headByteCount = codec.decodedByteCount
        self.control = codec.control
        self.turn = ReadTurn(Progress(codec: codec))
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
        do throws(ResponseFailure) {
            switch try await self.read(&progress.codec, atLeast: byteCount) {
            case .body(let bytes):
                progress.receivedByteCount += Int64(bytes.readableBytes)
                let receivedByteCount = progress.receivedByteCount
                self.turn.giveBack(progress)
                self.call.observer?.didReceive(receivedByteCount, of: self.length)
                return bytes
            case .end, .head, .informational:
                self.response.receivedTrailers?.receive(progress.codec.trailers)
                if let upload = self.upload, !upload.isComplete, progress.codec.isReusable {
                    await upload.waitIfQueued()
                }
                self.finish(progress.codec)
                return nil
            }
        } catch {
            let isDiscarded = self.turn.end()
            self.giveUp()
            let failure = self.failure(by: error, isDiscarded, received: progress.receivedByteCount)
            self.call.observer?.didFail(failure)
            self.report(progress.codec)
            throw failure
        }
    }

    /// Waits for the next event.
    ///
    /// The idle timeout does not pass while the server sends bytes, or accepts bytes of the request.
    private func read(
        _ codec: inout Codec,
        atLeast byteCount: Int
    ) async throws(ResponseFailure) -> ResponseEvent {
        guard let activity = self.upload?.activity, let idle = self.call.timeouts.idle else {
            let deadline = self.call.deadline(.idle, self.call.timeouts.idle)
            return try await codec.next(atLeast: byteCount, deadline: deadline)
        }
        activity.isReading(true)
        defer { activity.isReading(false) }
        var start = self.call.clock.now
        while true {
            do throws(ResponseFailure) {
                let silence = CallDeadline(.idle, limit: idle, from: start)
                return try await codec.next(atLeast: byteCount, deadline: .earlier(silence, self.call.deadline))
            } catch {
                guard case .connection(.timedOut(let deadline)) = error, deadline.timeout == .idle,
                    let instant = activity.readIdleStart(since: start)
                else { throw error }
                start = instant
            }
        }
    }

    /// Returns the error of a failed read.
    ///
    /// There may be several reasons: the caller's discard comes first, then a failure to send the body, then the
    /// failure to read.
    private func failure(
        by error: ResponseFailure,
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

    private func finish(_ codec: borrowing Codec) {
        self.turn.end()
        if codec.isReusable, self.upload?.isComplete ?? true {
            self.slot.giveBack()
        } else {
            self.giveUp()
        }
        self.report(codec)
    }

    /// Reports that reading has ended, and how many bytes were read.
    private func report(_ codec: borrowing Codec) {
        guard let observer = self.call.observer else { return }
        observer.didReach(.finished(bodyByteCount: codec.decodedByteCount - self.headByteCount))
    }

    func discard() {
        if let progress = self.turn.discard() { return self.abandon(progress) }
        // The abort wakes the task that reads. After the end of the body there is nothing to give up.
        if self.turn.end() { self.giveUp() }
    }

    /// Stops the exchange before it is complete.
    private func giveUp() {
        self.upload?.cancel()
        self.control.abort()
        self.slot.discard()
    }

    /// Gives the slot back when the task that sends the body has continued after its last bytes.
    ///
    /// The next read would wait for that task, but no read follows. If the task fails, or has not continued after
    /// ``SenderLimit/duration``, this method closes the connection.
    private func giveBack(after upload: Upload) {
        Task.detached { [slot, control, clock = self.call.clock] in
            let limit = clock.schedule(at: clock.now.advanced(by: SenderLimit.duration)) { upload.cancel() }
            await upload.waitIfQueued()
            limit.cancel()
            guard !upload.isComplete else { return slot.giveBack() }
            control.abort()
            slot.discard()
        }
    }

    func discardUnlessRead() {
        if let progress = self.turn.discard(isForced: false) { self.abandon(progress) }
    }

    /// Ends the exchange, because no task needs the rest of the body.
    ///
    /// This method reads the bytes that have already arrived. If they complete the body, and the connection may serve
    /// another exchange, the method gives the slot back, at once or when the request is sent. Otherwise it closes the
    /// connection (HTTP/1.1) or resets the stream (HTTP/2), because no task would read the rest.
    private func abandon(_ taken: consuming Progress) {
        var progress = taken
        var allowance = DrainLimit.byteCount
        while allowance > 0, let event = try? progress.codec.nextAvailable() {
            guard case .body(let bytes) = event else { break }
            allowance -= bytes.readableBytes
        }
        guard let upload = self.upload, !upload.isComplete, upload.activity.isBodyQueued, progress.codec.isReusable
        else { return self.finish(progress.codec) }
        self.giveBack(after: upload)
        // The call goes on at once, so its observers do not learn when the sender ends.
        self.report(progress.codec)
    }
}

/// The limit for the task that sends the body of a request whose response is complete and unwanted.
private enum SenderLimit {
    /// Enough for a task that only has to continue.
    ///
    /// A server that does not accept the rest of the body holds up the calls that wait for a connection no longer than
    /// this.
    static let duration = Duration.milliseconds(250)
}

/// The limit for reading the unwanted rest of a body to keep the connection.
private enum DrainLimit {
    /// The maximum number of bytes; only bytes that have arrived are read.
    static let byteCount = 512 << 10
}
