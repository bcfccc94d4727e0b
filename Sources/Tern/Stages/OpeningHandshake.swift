// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernRequests
import TernWebSocketCore

/// The WebSocket handshake of one call, whose key changes with each redirect.
///
/// The call that opens the WebSocket needs the last key, to check the server's response.
final class OpeningHandshake: Sendable {
    private let handshake: Mutex<ClientHandshake>

    init(_ handshake: ClientHandshake) { self.handshake = Mutex(handshake) }

    /// The handshake with the key that the last request has sent.
    var current: ClientHandshake { self.handshake.withLock { $0 } }

    /// Changes the key, and returns the new one.
    fileprivate func renewKey() -> String {
        var generator = SystemRandomNumberGenerator()
        return self.handshake.withLock { handshake in
            handshake = handshake.renewed(using: &generator)
            return handshake.key
        }
    }
}

extension OpeningHandshake: Hashable {
    static func == (left: OpeningHandshake, right: OpeningHandshake) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private enum OpeningHandshakeOption: RequestOption {
    typealias Value = OpeningHandshake
}

extension RequestOptions {
    /// The handshake that the request makes; `nil` if the request does not open a WebSocket.
    var openingHandshake: OpeningHandshake? {
        get { self[OpeningHandshakeOption.self] }
        set { self[OpeningHandshakeOption.self] = newValue }
    }
}

extension Request {
    /// Gives a request that follows a redirect a new `Sec-WebSocket-Key`, if it opens a WebSocket.
    ///
    /// "The nonce MUST be selected randomly for each connection" (RFC 6455 §4.1, item 7). The server that redirects has
    /// seen the old key, and must not be able to answer for the other server.
    mutating func renewWebSocketKey() {
        guard let handshake = self.options.openingHandshake, self.fields.contains(.secWebSocketKey) else { return }
        self.fields[values: .secWebSocketKey] = [handshake.renewKey()]
    }
}
