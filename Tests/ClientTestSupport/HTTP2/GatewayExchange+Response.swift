// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernHTTP1
import TernTesting

extension GatewayExchange {
    /// A part of the response that is sent when it is known whether the response ends with it.
    private enum Part {
        case head(ResponseHead)
        case content([UInt8])
    }

    /// Reads the response, and passes it on.
    func run() async {
        do {
            try await self.relay()
        } catch let failure as ConnectionError {
            guard !self.isAborted, failure != .cancelled else { return }
            await self.session.fail(self.stream, failure)
        } catch {
            // The response is malformed, or ends too early.
            await self.session.fail(self.stream, .closed)
            self.server.close()
        }
    }

    private func relay() async throws {
        var decoder = ResponseDecoder(method: self.request.method, allowsUpgrade: self.request.isTunnel)
        var bytes: [UInt8] = []
        var part: Part?
        while !decoder.isComplete {
            let step = try decoder.next(bytes.span.bytes)
            var event = step.event
            if event == nil {
                bytes.removeFirst(step.consumedByteCount)
                guard await self.send(part) else { return }
                part = nil
                if let more = try await self.server.read(atLeast: 1, deadline: nil) {
                    bytes += more.readableBytesView
                    continue
                }
                event = try decoder.finish()
            }
            guard let event else { return }
            switch event {
            case .informational(let head):
                await self.session.send(.headers(self.stream, fields: GatewayFields.list(head)))
            case .head(let head):
                if head.statusCode == 101 {
                    return await self.tunnel(head, Array(bytes.dropFirst(step.consumedByteCount)))
                }
                part = .head(head)
            case .body(let range):
                guard await self.send(part) else { return }
                part = .content(Array(bytes[range]))
            case .end(let trailers):
                let isReusable = decoder.isReusable && bytes.count == step.consumedByteCount
                let fields = trailers?.makeHTTPFields() ?? [:]
                return await self.end(with: part, trailers: fields, isReusable: isReusable)
            @unknown default: return
            }
            if step.event != nil { bytes.removeFirst(step.consumedByteCount) }
        }
    }

    // MARK: Sending

    /// Sends a part that is not the last one; returns whether the stream is open.
    private func send(_ part: Part?) async -> Bool {
        switch part {
        case .head(let head): await self.session.send(.headers(self.stream, fields: GatewayFields.list(head)))
        case .content(let bytes): await self.send(bytes) != nil
        case nil: true
        }
    }

    /// Sends content as the client's windows allow.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - keepsLast: Whether the last piece is returned instead of being sent. Defaults to `false`.
    /// - Returns: The last piece, or no bytes; `nil` if the stream is closed.
    private func send(_ bytes: [UInt8], keepsLast: Bool = false) async -> [UInt8]? {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let count = await self.session.windows.take(atMost: rest.count, for: self.stream) else { return nil }
            let piece = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            if keepsLast, rest.isEmpty { return piece }
            guard await self.session.send(.data(self.stream, piece)) else { return nil }
        }
        return []
    }

    /// Sends the end of the response.
    ///
    /// Before that, the connection to the server is given back, so that the client's next request can use it.
    private func end(with part: Part?, trailers: HTTPFields, isReusable: Bool) async {
        var last: HTTP2Output
        if trailers.isEmpty {
            switch part {
            case .head(let head):
                last = .headers(self.stream, fields: GatewayFields.list(head), endsStream: true)
            case .content(let bytes):
                guard let piece = await self.send(bytes, keepsLast: true) else { return }
                last = .data(self.stream, piece, endsStream: true)
            case nil:
                last = .data(self.stream, [], endsStream: true)
            }
        } else {
            guard await self.send(part) else { return }
            last = .headers(self.stream, fields: GatewayFields.list(trailers), endsStream: true)
        }
        // "After sending a complete response, [a server] MAY request that the client abort transmission of a request
        // without error by sending a RST_STREAM with an error code of NO_ERROR" (RFC 9113 §8.1).
        if !self.isRequestComplete { last.bytes += HTTP2Output.reset(self.stream, HTTP2Code.noError).bytes }
        self.session.close(self.stream)
        self.release(isReusable: isReusable)
        await self.session.send(last)
    }

    /// Passes bytes of another protocol on until one side ends.
    private func tunnel(_ head: ResponseHead, _ bytes: [UInt8]) async {
        await self.session.send(.headers(self.stream, fields: GatewayFields.list(head, status: 200)))
        var bytes = bytes
        do throws(ConnectionError) {
            while true {
                guard await self.send(bytes) != nil else { return }
                guard let more = try await self.server.read(atLeast: 1, deadline: nil) else { break }
                bytes = Array(more.readableBytesView)
            }
        } catch {
            switch error {
            case .closed: break
            case .failed: return await self.session.fail(self.stream, error)
            default:
                self.session.close(self.stream)
                await self.session.send(.reset(self.stream, HTTP2Code.cancel))
                return
            }
        }
        guard !self.isAborted else { return }
        self.endTunnel()
        await self.session.send(.data(self.stream, [], endsStream: true))
    }
}
