// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernHTTP2

/// The bytes that a session has encoded and its connection has not taken, and whether a thread hands them over.
///
/// A session encodes under its lock, and hands over outside of it, because the connection may encrypt and send at once. A thread
/// that encodes while no thread hands over does it, also for those that encode meanwhile, so that the order stays.
struct HTTP2Output: Sendable {
    /// The pieces that one thread hands over.
    struct Batch: Sendable {
        fileprivate let frames: OutgoingFrames
        /// The last stream that begins in the batch.
        fileprivate let lastStream: HTTP2StreamID?

        /// Hands over all pieces, up to the first that the connection refuses.
        consuming func enqueue(on connection: any Connection) -> Outcome {
            var outcome = Outcome(result: .success(true))
            let lastStream = self.lastStream
            self.frames.forEachPiece { piece in
                guard case .success = outcome.result else { return }
                do throws(ConnectionError) {
                    outcome.result = .success(try connection.enqueue(piece))
                    outcome.lastStream = lastStream
                } catch {
                    outcome.result = .failure(error)
                }
            }
            return outcome
        }
    }

    struct Outcome: Sendable {
        /// Whether the connection has room for more, or its failure.
        var result: Result<Bool, ConnectionError>
        /// The last stream that began in a batch of which the connection took something.
        var lastStream: HTTP2StreamID?
    }

    private enum State {
        /// No thread hands over. Exits: `busy`.
        case free
        /// A thread hands over a batch. Exits: `free`, `refused`.
        case busy
        /// The connection takes nothing more.
        case refused(ConnectionError)
    }

    /// The length at which the session moves no further content here while a thread hands over, in bytes.
    private static let maximumByteCount = 256 << 10

    private var state = State.free
    private var frames = OutgoingFrames()
    private var lastStream: HTTP2StreamID?
    /// The last stream whose beginning the connection may have taken.
    private var lastTakenStream = HTTP2StreamID.connection
    /// Whether the connection had room for more when it last took something.
    private(set) var hasRoom = true
    /// The number of bytes that the server has caused since the connection last had room.
    private(set) var controlByteCount = 0

    var isBusy: Bool { if case .busy = self.state { true } else { false } }

    /// Whether content waits until the thread that hands over has finished its batch.
    var isFull: Bool { self.isBusy && self.frames.byteCount >= Self.maximumByteCount }

    var failure: ConnectionError? { if case .refused(let error) = self.state { error } else { nil } }

    /// Whether the connection has taken the beginning of a stream, so that the server may know of it.
    func hasTaken(_ stream: HTTP2StreamID) -> Bool { stream <= self.lastTakenStream }

    // MARK: Encoding

    mutating func reserve(byteCount: Int) { self.frames.reserve(byteCount: byteCount) }

    mutating func append(_ bytes: [UInt8]) { self.frames.append(bytes) }

    mutating func append(content: ByteBufferView) { self.frames.append(content: content) }

    mutating func append(copying content: HTTP2Session.Body) { self.frames.append(copying: content) }

    /// Notes that a stream begins behind what was appended before.
    mutating func begins(_ stream: HTTP2StreamID) { self.lastStream = stream }

    /// Counts bytes that the server has caused, such as answers to PING.
    ///
    /// Content does not count, because a server may stop reading uploads until the client reads its responses.
    mutating func addControl(byteCount: Int) { self.controlByteCount += byteCount }

    mutating func foundRoom() { self.controlByteCount = 0 }

    // MARK: Handing over

    /// Returns all that waits, which the caller hands over; `nil` if nothing waits, or another thread does it.
    mutating func take() -> Batch? {
        guard !self.frames.isEmpty, !self.isBusy else { return nil }
        defer { (self.frames, self.lastStream) = (OutgoingFrames(), nil) }
        guard case .free = self.state else { return nil }
        self.state = .busy
        return Batch(frames: self.frames, lastStream: self.lastStream)
    }

    /// Records what became of the batch; the caller then takes the next one.
    mutating func handedOver(_ outcome: Outcome) {
        if let lastStream = outcome.lastStream { self.lastTakenStream = lastStream }
        switch outcome.result {
        case .success(let hasRoom):
            self.state = .free
            self.hasRoom = hasRoom
            if hasRoom { self.controlByteCount = 0 }
        case .failure(let error): self.state = .refused(error)
        }
    }
}
