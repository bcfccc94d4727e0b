// SPDX-License-Identifier: Apache-2.0
package import TernTesting
package import TestSupport

/// Requests and responses for the tests of the client.
extension HTTP2Peer {
    /// Exchanges the prefaces, and waits until the client has acknowledged the settings.
    package func handshake(settings: [HTTP2Setting] = []) async throws {
        guard try await self.readPreface() else { return }
        try await self.send(.settings(settings))
        _ = try await self.wait { $0 == .settingsAck }
    }

    // MARK: Requests

    /// The next request; frames before it are dropped.
    package func nextRequest() async throws -> HTTP2Headers? {
        while let frame = try await self.nextFrame() {
            if case .headers(let headers) = frame, headers.isRequest { return headers }
        }
        return nil
    }

    /// The first request, to which and before which nothing is sent, not even the server's preface.
    package func readEarlyRequest() async throws -> HTTP2Headers? {
        guard try await self.readPreface() else { return nil }
        while let frame = try await self.nextFrame(isAnswered: false) {
            if case .headers(let headers) = frame { return headers }
        }
        return nil
    }

    /// Passes each request to a closure, and notes the code of each RST_STREAM, until the client ends the connection.
    package func serve(noting resets: Journal<Int>? = nil, _ answer: (HTTP2Headers) async throws -> Void) async throws {
        while let frame = try await self.nextFrame() {
            switch frame {
            case .headers(let headers) where headers.isRequest: try await answer(headers)
            case .reset(_, let code): resets?.note(code)
            default: break
            }
        }
    }

    /// Answers only requests for `/quick`, begins a response to requests for `/slow`, and notes each PING.
    ///
    /// Raises the flag for each request, and for each PING that is answered, when the client has handled everything that
    /// was sent before.
    package func serveInSilence(
        noting pings: Journal<HTTP2Frame>,
        raising isHandled: Flag,
        answersPings: Bool = false
    ) async throws {
        try await self.handshake()
        while let frame = try await self.nextFrame(isAnswered: false) {
            switch frame {
            case .ping(let opaque):
                pings.note(frame)
                guard answersPings else { continue }
                try await self.send(.ping(opaque, isAnswer: true))
            case .headers(let request):
                if request.path == "/quick" { try await self.respond(to: request, "quick") }
                if request.path == "/slow" { try await self.begin(request, "half") }
            default: continue
            }
            try await self.roundTrip()
            isHandled.raise()
        }
    }

    /// The content of a request, and the trailers; the windows are opened for all of it.
    package func content(of request: HTTP2Headers) async throws -> HTTP2Content {
        var content = HTTP2Content()
        if request.endsStream { return content }
        while let frame = try await self.wait(for: { $0.isPart(of: request.stream) }) {
            switch frame {
            case .data(_, let bytes, let endsStream):
                content.bytes += bytes
                if bytes.count > 0 { try await self.send(.windowUpdate(0, bytes.count)) }
                if endsStream { return content }
                if bytes.count > 0 { try await self.send(.windowUpdate(request.stream, bytes.count)) }
            case .headers(let headers):
                content.trailers = headers.lines
                return content
            default: return content  // the client has reset the stream
            }
        }
        return content
    }

    /// Waits until the client has handled everything that was sent before.
    ///
    /// The second answer comes from a later turn of the client's reader, so that the first turn is over.
    package func roundTrip() async throws {
        for mark in [1, 2] as [UInt64] {
            try await self.send(.ping(mark))
            _ = try await self.wait { $0 == .pingAck(mark) }
        }
    }

    // MARK: Responses

    /// Sends a whole response in one piece.
    package func respond(
        to request: HTTP2Headers,
        _ text: String = "",
        status: Int = 200,
        fields: [(String, String)] = []
    ) async throws {
        let head = [(":status", "\(status)")] + fields
        var frames = [HTTP2Output.headers(request.stream, head, endsStream: text.isEmpty)]
        if !text.isEmpty { frames.append(.data(request.stream, Array(text.utf8), endsStream: true)) }
        try await self.send(frames)
    }

    /// Sends the head of a response whose content follows.
    package func begin(_ request: HTTP2Headers, _ text: String = "", fields: [(String, String)] = []) async throws {
        var frames = [HTTP2Output.headers(request.stream, [(":status", "200")] + fields)]
        if !text.isEmpty { frames.append(.data(request.stream, Array(text.utf8))) }
        try await self.send(frames)
    }

    /// Sends the rest of a response.
    package func end(_ request: HTTP2Headers, _ text: String = "") async throws {
        try await self.send(.data(request.stream, Array(text.utf8), endsStream: true))
    }
}
