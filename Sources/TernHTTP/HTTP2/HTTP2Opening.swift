// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernFoundation
import TernHTTP2

/// The opening of one stream: the head of a request, and the body if it is short enough to be sent with the head.
struct HTTP2Opening: CombinedWork {
    struct Sent {
        var id: HTTP2StreamID
        var headByteCount: Int
        var sentBody: Bool
        var hasRoom = true
    }

    let stream: HTTP2ExchangeStream
    let head: HTTP2RequestHead
    var body: HTTP2Session.Body?
    let endsStream: Bool
    /// The result; `nil` until the stream was opened, and if the exchange ended before.
    private(set) var result: Result<Sent, HTTP2OpeningFailure>?
    private var keepAliveInstant: ClockInstant?

    init(of stream: HTTP2ExchangeStream, _ head: HTTP2RequestHead, with body: HTTP2Session.Body?, endsStream: Bool) {
        self.stream = stream
        self.head = head
        self.body = body
        self.endsStream = endsStream
    }

    /// Opens the streams, and sends everything with one write.
    static func perform(_ openings: inout some MutableCollection<Self>, on locked: inout HTTP2Session.Locked) {
        guard !openings.isEmpty else { return }
        let session = openings[openings.startIndex].stream.session  // `first` would copy the whole opening
        var bytes = ByteBuffer()
        for index in openings.indices { openings[index].encode(&locked, to: &bytes) }
        if locked.machine.isGoingAway { session.acceptsExchanges.store(false, ordering: .relaxed) }
        guard bytes.readableBytes > 0 else { return }
        do throws(ConnectionError) {
            let hasRoom = try session.connection.enqueue(bytes)
            for index in openings.indices { openings[index].sent(hasRoom: hasRoom, &locked) }
            _ = session.flush(&locked)
        } catch {
            for index in openings.indices { openings[index].failed(error, &locked) }
            locked.machine.discardOutput()
        }
        openings[openings.startIndex].keepAliveInstant = session.streamsChanged(&locked)
    }

    /// Appends the frames of the head, and those of the body if the windows have room for the whole body.
    private mutating func encode(_ locked: inout HTTP2Session.Locked, to bytes: inout ByteBuffer) {
        guard self.stream.state.withLock({ $0.mayOpen }) else { return }
        let before = locked.machine.output.count
        do throws(HTTP2RequestError) {
            let id = try locked.machine.openStream(self.head, endsStream: self.endsStream)
            let headByteCount = locked.machine.output.count - before
            // A short body does not overtake the uploads that wait for the window of the connection.
            let shortBody = locked.uploads.isEmpty ? self.body : nil
            let sentBody = shortBody.map { Self.append($0, on: id, &locked.machine, to: &bytes) } ?? false
            bytes.writeBytes(locked.machine.output)
            locked.machine.discardOutput()
            self.result = .success(Sent(id: id, headByteCount: headByteCount, sentBody: sentBody))
        } catch {
            self.result = .failure(.request(error))
        }
    }

    private static func append(
        _ body: HTTP2Session.Body,
        on id: HTTP2StreamID,
        _ machine: inout HTTP2ConnectionStateMachine,
        to bytes: inout ByteBuffer
    ) -> Bool {
        guard machine.hasRoom(forContentOf: body.count, on: id) else { return false }
        bytes.reserveCapacity(bytes.writerIndex + machine.output.count + body.count + 64)
        var offset = 0
        repeat {
            let byteCount = min(machine.sendableByteCount(on: id), body.count - offset)
            let endsStream = offset + byteCount == body.count
            _ = machine.encodeDataHeader(on: id, byteCount: byteCount, endsStream: endsStream)
            bytes.writeBytes(machine.output)
            machine.discardOutput()
            bytes.append(body[body.startIndex + offset..<body.startIndex + offset + byteCount])
            offset += byteCount
        } while offset < body.count
        return true
    }

    private mutating func sent(hasRoom: Bool, _ locked: inout HTTP2Session.Locked) {
        guard case .success(var sent)? = self.result else { return }
        sent.hasRoom = hasRoom
        self.result = .success(sent)
        let isComplete = self.endsStream || sent.sentBody
        // The exchange may have ended while another thread opened its stream.
        let isWanted = self.stream.state.withLock { $0.opened(as: sent.id, isComplete: isComplete) }
        if isWanted { locked.streams[sent.id] = self.stream } else { locked.machine.reset(sent.id, .cancel) }
    }

    private mutating func failed(_ error: ConnectionError, _ locked: inout HTTP2Session.Locked) {
        guard case .success(let sent)? = self.result else { return }
        locked.machine.reset(sent.id)
        self.result = .failure(.connection(error))
    }

    static func finish(_ openings: some Collection<Self>) {
        for index in openings.indices { openings[index].finish() }
    }

    private func finish() {
        self.report()
        if case .failure(let failure)? = self.result { self.stream.fail(.opening(failure)) }
    }

    func report() {
        switch self.result {
        case .failure(.request(.tooManyStreams)), .failure(.request(.goingAway)): self.stream.session.reportLimits()
        case .failure(.connection): self.stream.session.reportEnd()
        default: break
        }
        if let instant = self.keepAliveInstant { self.stream.session.armKeepAlive(at: instant) }
    }
}
