// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernHTTP1

/// One stream of an HTTP/2 client, and the HTTP/1.1 connection that carries its request to the server.
final class GatewayExchange: Sendable {
    private struct State: Sendable {
        var isRequestComplete: Bool
        var missingByteCount: Int?
        var isAborted = false
        var hasEndedTunnel = false
        var isReleased = false
        /// The number of bytes by which the client's window grows once the server has room.
        var withheldByteCount = 0
        var isWaitingForRoom = false
    }

    let stream: Int
    let request: GatewayRequest
    let session: GatewaySession
    let reset: HTTP2FaultSchedule.Reset?
    private let lane: GatewayLane
    private let state: Mutex<State>

    var server: any Connection { self.lane.connection }

    init(
        _ headers: HTTP2Headers,
        _ request: GatewayRequest,
        _ lane: GatewayLane,
        _ session: GatewaySession,
        _ reset: HTTP2FaultSchedule.Reset?
    ) {
        (self.stream, self.request, self.lane, self.session) = (headers.stream, request, lane, session)
        self.reset = reset
        var state = State(isRequestComplete: headers.endsStream)
        if case .counted(let byteCount) = request.framing { state.missingByteCount = byteCount }
        self.state = Mutex(state)
    }

    // MARK: The request

    /// Passes on content, and opens the client's window when the server has room for more.
    func receive(_ bytes: [UInt8], endsStream: Bool) async {
        self.state.withLock { state in
            state.missingByteCount? -= bytes.count
            if state.missingByteCount == 0 { state.isRequestComplete = true }
        }
        var hasRoom = true
        if !bytes.isEmpty {
            do throws(ConnectionError) {
                hasRoom = try self.server.enqueue(ByteBuffer(bytes: self.request.framing.encoded(bytes)))
            } catch {
                // "a RST_STREAM frame with the CANCEL error code" stands for a reset of the connection (RFC 8441 §5).
                if self.request.isTunnel { await self.session.send(.reset(self.stream, HTTP2Code.cancel)) }
                return
            }
        }
        if endsStream { return self.end(trailers: []) }
        if !bytes.isEmpty { await self.widen(by: bytes.count, hasRoom: hasRoom) }
    }

    func end(trailers: [HTTP2Line]) {
        let hasEndedTunnel = self.state.withLock { state in
            state.isRequestComplete = true
            return state.hasEndedTunnel
        }
        if self.request.isTunnel {
            self.server.close()
            if hasEndedTunnel { self.session.close(self.stream) }
            return
        }
        let bytes = self.request.framing.ending(trailers: trailers)
        if !bytes.isEmpty { _ = try? self.server.enqueue(ByteBuffer(bytes: bytes)) }
    }

    private func widen(by byteCount: Int, hasRoom: Bool) async {
        let mustSend = self.state.withLock { state in
            if hasRoom, !state.isWaitingForRoom { return true }
            state.withheldByteCount += byteCount
            return false
        }
        if mustSend {
            await self.session.send(.windowUpdate(self.stream, byteCount))
            return
        }
        let mustWait = self.state.withLock { state in
            defer { state.isWaitingForRoom = true }
            return !state.isWaitingForRoom
        }
        if mustWait { Task.detached { await self.widenWhenRoom() } }
    }

    private func widenWhenRoom() async {
        guard (try? await self.server.waitForRoom(deadline: nil)) != nil else { return }
        let byteCount = self.state.withLock { state in
            defer { (state.withheldByteCount, state.isWaitingForRoom) = (0, false) }
            return state.isRequestComplete ? 0 : state.withheldByteCount
        }
        if byteCount > 0 { await self.session.send(.windowUpdate(self.stream, byteCount)) }
    }

    // MARK: The end

    var isRequestComplete: Bool { self.state.withLock { $0.isRequestComplete } }

    var isAborted: Bool { self.state.withLock { $0.isAborted } }

    /// Ends the exchange without a response; bytes that the client has already sent still reach the server.
    func abort() {
        let isReleased = self.state.withLock { state in
            state.isAborted = true
            return state.isReleased
        }
        if !isReleased { self.server.close() }
    }

    func endTunnel() {
        let isOver = self.state.withLock { state in
            state.hasEndedTunnel = true
            return state.isRequestComplete
        }
        if isOver { self.session.close(self.stream) }
    }

    func release(isReusable: Bool) {
        let mayKeep = self.state.withLock { state in
            state.isReleased = true
            return state.isRequestComplete && !state.isAborted
        }
        if isReusable, mayKeep { self.session.lanes.keep(self.lane) } else { self.server.close() }
    }
}
