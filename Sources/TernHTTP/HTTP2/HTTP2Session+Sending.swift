// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernHTTP2

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP2Session {
    /// The bytes of a body.
    typealias Body = Data

    /// The length of the piece that an upload sends in one turn while others wait, in bytes.
    private static let turnByteCount = 16 << 10
    /// The length of the piece that an upload sends while no other waits, in bytes.
    private static let soleByteCount = 256 << 10

    /// The result of an attempt to send a piece of a body.
    enum SendStep {
        /// A piece of this length was sent. If `hasRoom` is false, wait for room on the connection before the next.
        case sent(Int, hasRoom: Bool)
        /// Nothing can be sent before this wait ends.
        case wait(HTTP2ExchangeStream.WindowWait)
    }

    /// Sends a piece of a body, as long as both windows allow.
    ///
    /// - Parameters:
    ///   - content: The rest of the body that is at hand, never empty.
    ///   - stream: The stream.
    ///   - hasTurn: Whether the upload has waited for its turn.
    /// - Returns: The step that was taken.
    /// - Throws: `ConnectionError.closed` if the stream does not accept more.
    func send(
        _ content: ByteBufferView,
        on stream: HTTP2ExchangeStream,
        hasTurn: Bool
    ) throws(ConnectionError) -> SendStep {
        let result = self.locked.withLock { locked -> Result<SendStep, ConnectionError> in
            guard let id = stream.state.withLock({ $0.isClosed ? nil : $0.id }), !locked.machine.hasFailed else {
                if hasTurn { locked.uploads.passTurn() }
                return .failure(.closed)
            }
            if locked.machine.isConnectionWindowClosed || !(hasTurn || locked.uploads.isEmpty) {
                let wait = HTTP2ExchangeStream.WindowWait()
                locked.uploads.add(wait)
                stream.state.withLock { $0.windowWait = wait }  // ends with the stream
                return .success(.wait(wait))
            }
            let sendable = locked.machine.sendableByteCount(on: id)
            guard sendable > 0 else {
                if hasTurn { locked.uploads.passTurn() }
                let wait = HTTP2ExchangeStream.WindowWait()
                stream.state.withLock { $0.windowWait = wait }
                return .success(.wait(wait))
            }
            let maximum = locked.uploads.isEmpty ? Self.soleByteCount : Self.turnByteCount
            var bytes = ByteBuffer()
            let byteCount = Self.append(content.prefix(maximum), on: id, &locked.machine, to: &bytes)
            if !locked.uploads.isEmpty, !locked.machine.isConnectionWindowClosed { locked.uploads.passTurn() }
            do throws(ConnectionError) {
                return .success(.sent(byteCount, hasRoom: try self.connection.enqueue(bytes)))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Appends DATA frames with as much of the content as may be sent; returns how much that is.
    private static func append(
        _ content: ByteBufferView,
        on id: HTTP2StreamID,
        _ machine: inout HTTP2ConnectionStateMachine,
        to bytes: inout ByteBuffer
    ) -> Int {
        bytes.reserveCapacity(content.count + 64)
        var rest = content
        while !rest.isEmpty {
            let byteCount = min(machine.sendableByteCount(on: id), rest.count)
            guard byteCount > 0, machine.encodeDataHeader(on: id, byteCount: byteCount, endsStream: false) else {
                break
            }
            bytes.writeBytes(machine.output)
            machine.discardOutput()
            bytes.writeBytes(rest.prefix(byteCount))
            rest = rest.dropFirst(byteCount)
        }
        return content.count - rest.count
    }

    /// Ends the body of a request.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - trailers: The fields after the body; `nil` if there are none.
    /// - Returns: Whether the connection has room for more.
    /// - Throws: `ConnectionError` if the stream does not accept more.
    func endBody(of stream: HTTP2ExchangeStream, with trailers: HTTPFields?) throws(ConnectionError) -> Bool {
        let result = self.locked.withLock { locked -> Result<Bool, ConnectionError> in
            guard let id = stream.state.withLock({ $0.isClosed ? nil : $0.id }) else { return .failure(.closed) }
            let isWritten =
                trailers.map { locked.machine.sendTrailers($0, on: id) }
                ?? locked.machine.encodeDataHeader(on: id, byteCount: 0, endsStream: true)
            guard isWritten else { return .failure(.closed) }
            let isOver = stream.state.withLock { state in
                state.isRequestComplete = true
                return state.isResponseComplete
            }
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
