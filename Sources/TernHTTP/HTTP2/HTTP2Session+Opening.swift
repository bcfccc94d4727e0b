// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernConnections
import TernFoundation
import TernHTTP2

extension HTTP2Session {
    typealias Body = Data

    struct OpenedStream {
        var id: HTTP2StreamID
        var headByteCount: Int
        var sentBody: Bool
        var hasRoom = true
    }

    /// Opens a stream, and sends the head, with the body if the windows have room for all of it; sends nothing if it throws.
    func open(
        _ stream: HTTP2ExchangeStream,
        _ head: HTTP2RequestHead,
        with body: Body?,
        endsStream: Bool
    ) throws(HTTP2OpeningFailure) -> OpenedStream {
        let ((result, instant), handing) = self.perform { locked in
            let result = locked.open(stream, head, with: body, endsStream: endsStream)
            if locked.machine.isGoingAway { self.acceptsExchanges.store(false, ordering: .relaxed) }
            return (result, self.streamsChanged(&locked))
        }
        if let instant { self.armKeepAlive(at: instant) }
        switch result {
        case .failure(.request(.tooManyStreams)), .failure(.request(.goingAway)): self.reportLimits()
        case .failure(.connection): self.reportEnd()
        default: break
        }
        var opened = try result.get()
        switch handing {
        case .success(let hasRoom): opened.hasRoom = hasRoom
        case .failure: if let failure = stream.openingFailure { throw failure }
        }
        return opened
    }
}

extension HTTP2Session.Locked {
    /// Encodes the frames of the head, and those of the body if the windows have room for the whole body.
    fileprivate mutating func open(
        _ stream: HTTP2ExchangeStream,
        _ head: HTTP2RequestHead,
        with body: HTTP2Session.Body?,
        endsStream: Bool
    ) -> Result<HTTP2Session.OpenedStream, HTTP2OpeningFailure> {
        guard stream.state.withLock({ $0.mayOpen }) else { return .failure(.connection(.closed)) }
        if let failure = self.output.failure { return .failure(.connection(failure)) }
        let before = self.machine.output.count
        let id: HTTP2StreamID
        do throws(HTTP2RequestError) {
            id = try self.machine.openStream(head, endsStream: endsStream)
        } catch {
            return .failure(.request(error))
        }
        let headByteCount = self.machine.output.count - before
        // A short body does not overtake the uploads that wait for the window of the connection.
        let shortBody = self.uploads.isEmpty ? body : nil
        let sentBody = shortBody.map { self.append($0, on: id) } ?? false
        self.output.begins(id)
        // The exchange may have ended meanwhile.
        let isWanted = stream.state.withLock { $0.opened(as: id, isComplete: endsStream || sentBody) }
        if isWanted { self.streams[id] = stream } else { self.machine.reset(id, .cancel) }
        return .success(HTTP2Session.OpenedStream(id: id, headByteCount: headByteCount, sentBody: sentBody))
    }

    private mutating func append(_ body: HTTP2Session.Body, on id: HTTP2StreamID) -> Bool {
        guard self.machine.hasRoom(forContentOf: body.count, on: id) else { return false }
        self.output.reserve(byteCount: self.machine.output.count + body.count + 64)
        var offset = 0
        repeat {
            let byteCount = min(self.machine.sendableByteCount(on: id), body.count - offset)
            let endsStream = offset + byteCount == body.count
            _ = self.machine.encodeDataHeader(on: id, byteCount: byteCount, endsStream: endsStream)
            self.moveOutput()
            self.output.append(copying: body[body.startIndex + offset..<body.startIndex + offset + byteCount])
            offset += byteCount
        } while offset < body.count
        return true
    }
}
