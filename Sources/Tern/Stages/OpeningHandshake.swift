// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernRequests
import TernWebSocketCore

/// The WebSocket handshake of one call, whose key changes with each redirect; the last key checks the server's response.
final class OpeningHandshake: Sendable {
    private let handshake: Mutex<ClientHandshake>

    init(_ handshake: ClientHandshake) { self.handshake = Mutex(handshake) }

    var current: ClientHandshake { self.handshake.withLock { $0 } }

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
    /// Gives a request after a redirect a new `Sec-WebSocket-Key` (RFC 6455 §4.1, item 7), because the server has seen the old
    /// one.
    mutating func renewWebSocketKey() {
        guard let handshake = self.options.openingHandshake, self.fields.contains(.secWebSocketKey) else { return }
        self.fields[values: .secWebSocketKey] = [handshake.renewKey()]
    }
}
