// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernHTTP2

extension HTTP2Session {
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
        let (step, handing) = self.perform { locked -> (isOpen: Bool, wait: UnsentContent.Wait?) in
            let isOpen = stream.state.withLock { state in
                guard state.openID != nil else { return false }
                state.unsent.append(content)
                return true
            }
            guard isOpen, !locked.machine.hasFailed else { return (false, nil) }
            if content.readableBytes > 0 {
                locked.uploads.add(stream)
                self.takeTurns(&locked)
            }
            return (true, stream.state.withLock { $0.unsent.wait(until: maximumUnsentByteCount) })
        }
        guard step.isOpen else { throw .closed }
        // The reader learns of a failure, and ends all streams.
        return step.wait.map { .wait($0) } ?? .taken(hasRoom: (try? handing.get()) ?? true)
    }

    func takeTurns(_ locked: inout Locked) {
        guard !locked.uploads.isEmpty else { return }
        let now = self.clock.now
        while !locked.output.isFull, !locked.machine.isConnectionWindowClosed, let stream = locked.uploads.next() {
            let maximum = locked.uploads.isEmpty ? Self.soleByteCount : Self.turnByteCount
            let isReady = locked.takeTurn(of: stream, upTo: maximum, at: now)
            if isReady { locked.uploads.add(stream) }
        }
    }

    func endBody(of stream: HTTP2ExchangeStream, with trailers: HTTPFields?) throws(ConnectionError) -> Bool {
        let (isEnded, handing) = self.perform { locked in
            guard let id = stream.state.withLock({ $0.openID }) else { return false }
            let isWritten =
                trailers.map { locked.machine.sendTrailers($0, on: id) }
                ?? locked.machine.encodeDataHeader(on: id, byteCount: 0, endsStream: true)
            guard isWritten else { return false }
            let isOver = stream.state.withLock { $0.requestEnded() }
            if isOver { locked.streams[id] = nil }
            _ = self.streamsChanged(&locked)
            return true
        }
        guard isEnded else { throw .closed }
        return try handing.get()
    }
}

extension HTTP2Session.Locked {
    /// Appends a piece of a stream's unsent content; returns whether the stream needs another turn.
    fileprivate mutating func takeTurn(
        of stream: HTTP2ExchangeStream,
        upTo maximumByteCount: Int,
        at now: ClockInstant
    ) -> Bool {
        let (wait, isReady) = stream.state.withLock { state -> (UnsentContent.Wait?, Bool) in
            guard let id = state.openID else { return (nil, false) }
            var rest = maximumByteCount
            while rest > 0, let content = state.unsent.first {
                let byteCount = self.append(content.prefix(rest), on: id)
                guard byteCount > 0 else { break }
                state.unsent.removeFirst(byteCount)
                rest -= byteCount
            }
            if rest < maximumByteCount { state.lastSent = now }
            let mayHaveWindow = self.machine.isConnectionWindowClosed || self.machine.sendableByteCount(on: id) > 0
            return (state.unsent.takeEndedWait(), !state.unsent.isEmpty && mayHaveWindow)
        }
        if let wait { self.news.append(.ended(wait, .success(()))) }
        return isReady
    }

    /// Appends as much of the content as may be sent; returns the number of appended content bytes.
    private mutating func append(_ content: ByteBufferView, on id: HTTP2StreamID) -> Int {
        var rest = content
        while !rest.isEmpty {
            let byteCount = min(self.machine.sendableByteCount(on: id), rest.count)
            guard byteCount > 0, self.machine.encodeDataHeader(on: id, byteCount: byteCount, endsStream: false) else {
                break
            }
            self.moveOutput()
            self.output.append(content: rest.prefix(byteCount))
            rest = rest.dropFirst(byteCount)
        }
        return content.count - rest.count
    }
}
