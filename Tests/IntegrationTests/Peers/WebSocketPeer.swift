// SPDX-License-Identifier: Apache-2.0

/// The WebSocket servers of other projects, as a parameter of tests.
enum WebSocketPeer: String, CaseIterable, Sendable {
    /// A server with Python's `websockets`.
    case websockets
    /// A server with Python's `aiohttp`.
    case aiohttp
    /// A server with Node's `ws`.
    case ws

    /// The server that all tests of this process share.
    var server: WebSocketServer {
        get async throws {
            switch self {
            case .websockets: try await WebSocketServer.websockets.value
            case .aiohttp: try await WebSocketServer.aiohttp.value
            case .ws: try await WebSocketServer.ws.value
            }
        }
    }
}
