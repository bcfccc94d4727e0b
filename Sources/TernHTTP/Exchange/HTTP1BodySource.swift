// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernErrors
import TernRequests
import TernTransport

/// The body of a response that is still arriving; owns the rest of the exchange.
final class HTTP1BodySource: ResponseBodySource {
    private struct Progress: ~Copyable {
        var reader: ResponseReader
        var receivedByteCount: Int64 = 0
    }

    private enum State: ~Copyable {
        /// Nobody reads. Left by a read, or by releasing the source.
        case open(Progress)
        /// A task reads. Left when it has its bytes, or the end.
        case reading
        /// The end was given, or an error. Never left.
        case finished
    }

    /// How much of an unwanted rest is read to save the connection: what the connection's buffer holds, no more.
    private static let maximumDrainByteCount = 512 << 10

    let length: Int64?

    private let state: Mutex<State>
    private let call: Call
    private let lease: Lease
    private let upload: Upload?
    private let response: Response
    /// How many bytes of the response were decoded before its body.
    private let headByteCount: Int64

    init(_ reader: consuming ResponseReader, _ call: Call, _ lease: Lease, _ upload: Upload?, response: Response) {
        self.headByteCount = reader.decodedByteCount
        self.state = Mutex(.open(Progress(reader: reader)))
        self.call = call
        self.lease = lease
        self.upload = upload
        self.response = response
        self.length = response.contentLength
    }

    deinit { self.abandon() }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        switch self.begin() {
        case .finished:
            return nil
        case .reading:
            throw .bodyMisused(.concurrentReads, self.call.context(.body))
        case .open(let progress):
            return try await self.advance(progress, atLeast: byteCount)
        }
    }

    /// Takes the state, and leaves behind that somebody reads.
    private func begin() -> State {
        self.state.withLock { state in
            let taken = state
            switch consume taken {
            case .open(let progress):
                state = .reading
                return .open(progress)
            case .reading:
                state = .reading
                return .reading
            case .finished:
                state = .finished
                return .finished
            }
        }
    }

    private func advance(
        _ progress: consuming Progress,
        atLeast byteCount: Int
    ) async throws(ClientError) -> ByteBuffer? {
        do throws(ResponseReader.Failure) {
            let deadline = self.call.deadline(.idle, self.call.timeouts.idle)
            switch try await progress.reader.next(atLeast: byteCount, deadline: deadline) {
            case .body(let bytes):
                progress.receivedByteCount += Int64(bytes.readableBytes)
                let receivedByteCount = progress.receivedByteCount
                self.reopen(progress)
                self.call.observer?.didReceive(receivedByteCount, of: self.length)
                return bytes
            case .end, .head, .informational:
                self.finish(progress.reader)
                return nil
            }
        } catch {
            self.state.withLock { $0 = .finished }
            self.upload?.cancel()
            self.lease.discard()
            let failure =
                self.upload?.failure
                ?? error.clientError(
                    for: self.call,
                    phase: .body,
                    received: progress.receivedByteCount,
                    expected: self.length,
                    response: self.response.httpResponse
                )
            self.call.observer?.didFail(failure)
            self.report(progress.reader)
            throw failure
        }
    }

    private func reopen(_ progress: consuming Progress) {
        var next: State? = .open(progress)
        self.state.withLock { state in
            if let open = next.take() { state = open }
        }
    }

    private func finish(_ reader: borrowing ResponseReader) {
        self.state.withLock { $0 = .finished }
        if reader.isReusable, self.upload?.isComplete ?? true {
            self.lease.giveBack()
        } else {
            self.upload?.cancel()
            self.lease.discard()
        }
        self.report(reader)
    }

    /// Says that no more is read, and how much was.
    private func report(_ reader: borrowing ResponseReader) {
        guard let observer = self.call.observer else { return }
        observer.didReach(.finished(bodyByteCount: reader.decodedByteCount - self.headByteCount))
    }

    /// Ends the exchange, because the rest is not wanted.
    ///
    /// What has arrived already is read, for that may be all, and then the connection is kept; otherwise it is closed,
    /// because reading on would keep something running that nobody awaits.
    private func abandon() {
        guard case .open(var progress) = self.begin() else { return }
        var allowance = Self.maximumDrainByteCount
        while allowance > 0, let event = try? progress.reader.nextAvailable() {
            guard case .body(let bytes) = event else { break }
            allowance -= bytes.readableBytes
        }
        self.finish(progress.reader)
    }
}
