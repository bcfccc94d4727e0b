// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernHTTP1

extension GatewayExchange {
    /// Sends a part that is not the last one; returns whether the stream is open.
    func send(_ part: Part?) async -> Bool {
        switch part {
        case .head(let head): await self.session.send(.headers(self.stream, fields: GatewayFields.list(head)))
        case .content(let bytes): await self.send(bytes) != nil
        case nil: true
        }
    }

    /// Sends content as the client's windows allow; returns the last piece if it is kept, or `nil` if the stream is closed.
    func send(_ bytes: [UInt8], keepsLast: Bool = false) async -> [UInt8]? {
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

    /// Sends the end, after releasing the connection to the server, so that the client's next request can use it.
    func end(with part: Part?, trailers: HTTPFields, isReusable: Bool) async {
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

    func performReset(after part: Part?) async {
        guard let reset, await self.send(part) else { return }
        self.session.close(self.stream)
        self.release(isReusable: false)
        await self.session.send(.reset(self.stream, Int(reset.code)))
    }
}
