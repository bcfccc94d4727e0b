// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernFoundation
import TernHTTP2

extension HTTP2Session {
    typealias Body = Data

    /// The length of the piece, in bytes, that an upload sends in one turn while others wait.
    private static let turnByteCount = 16 << 10
    /// The length of the piece, in bytes, that an upload sends while no other waits.
    private static let soleByteCount = 256 << 10

    enum SendStep {
        /// The session took the content; if `hasRoom` is false, wait for room on the connection before handing over more.
        case taken(hasRoom: Bool)
        /// The session took the content; hand over more only after this wait has ended.
        case wait(UnsentContent.Wait)
    }

    /// Sends as much of the unsent content as the windows allow, and the rest in turns with the other streams when they open.
    func send(
        _ content: ByteBuffer,
        on stream: HTTP2ExchangeStream,
        keeping maximumUnsentByteCount: Int
    ) throws(ConnectionError) -> SendStep {
        let result = self.locked.withLock { locked -> Result<SendStep, ConnectionError> in
            let isOpen = stream.state.withLock { state in
                guard state.openID != nil else { return false }
                state.unsent.append(content)
                return true
            }
            guard isOpen, !locked.machine.hasFailed else { return .failure(.closed) }
            if content.readableBytes > 0 {
                locked.uploads.add(stream)
                self.takeTurns(&locked)
            }
            let wait = stream.state.withLock { $0.unsent.wait(until: maximumUnsentByteCount) }
            return .success(wait.map { .wait($0) } ?? .taken(hasRoom: locked.hasRoomForContent))
        }
        return try result.get()
    }

    func takeTurns(_ locked: inout Locked) {
        guard !locked.uploads.isEmpty else { return }
        var frames = OutgoingFrames()
        let now = self.clock.now
        while !locked.machine.isConnectionWindowClosed, let stream = locked.uploads.next() {
            let maximum = locked.uploads.isEmpty ? Self.soleByteCount : Self.turnByteCount
            let isReady = Self.takeTurn(of: stream, upTo: maximum, at: now, &locked.machine, to: &frames)
            if isReady { locked.uploads.add(stream) }
        }
        // The reader learns of a failure, and ends all streams.
        frames.forEachPiece { locked.hasRoomForContent = (try? self.connection.enqueue($0)) ?? true }
    }

    /// Appends a piece of a stream's unsent content; returns whether the stream needs another turn.
    private static func takeTurn(
        of stream: HTTP2ExchangeStream,
        upTo maximumByteCount: Int,
        at now: ClockInstant,
        _ machine: inout HTTP2ConnectionStateMachine,
        to frames: inout OutgoingFrames
    ) -> Bool {
        let (wait, isReady) = stream.state.withLock { state -> (UnsentContent.Wait?, Bool) in
            guard let id = state.openID else { return (nil, false) }
            var rest = maximumByteCount
            while rest > 0, let content = state.unsent.first {
                let byteCount = Self.append(content.prefix(rest), on: id, &machine, to: &frames)
                guard byteCount > 0 else { break }
                state.unsent.removeFirst(byteCount)
                rest -= byteCount
            }
            if rest < maximumByteCount { state.lastSent = now }
            let mayHaveWindow = machine.isConnectionWindowClosed || machine.sendableByteCount(on: id) > 0
            return (state.unsent.takeEndedWait(), !state.unsent.isEmpty && mayHaveWindow)
        }
        wait?.resume(with: .success(()))
        return isReady
    }

    /// Appends as much of the content as may be sent; returns the number of appended content bytes.
    private static func append(
        _ content: ByteBufferView,
        on id: HTTP2StreamID,
        _ machine: inout HTTP2ConnectionStateMachine,
        to frames: inout OutgoingFrames
    ) -> Int {
        var rest = content
        while !rest.isEmpty {
            let byteCount = min(machine.sendableByteCount(on: id), rest.count)
            guard byteCount > 0, machine.encodeDataHeader(on: id, byteCount: byteCount, endsStream: false) else {
                break
            }
            frames.append(machine.output)
            machine.discardOutput()
            frames.append(content: rest.prefix(byteCount))
            rest = rest.dropFirst(byteCount)
        }
        return content.count - rest.count
    }

    func endBody(of stream: HTTP2ExchangeStream, with trailers: HTTPFields?) throws(ConnectionError) -> Bool {
        let result = self.locked.withLock { locked -> Result<Bool, ConnectionError> in
            guard let id = stream.state.withLock({ $0.openID }) else { return .failure(.closed) }
            let isWritten =
                trailers.map { locked.machine.sendTrailers($0, on: id) }
                ?? locked.machine.encodeDataHeader(on: id, byteCount: 0, endsStream: true)
            guard isWritten else { return .failure(.closed) }
            let isOver = stream.state.withLock { $0.requestEnded() }
            if isOver { locked.streams[id] = nil }
            let bytes = ByteBuffer(bytes: locked.machine.output)
            locked.machine.discardOutput()
            _ = self.streamsChanged(&locked)
            do throws(ConnectionError) { return .success(try self.connection.enqueue(bytes)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
