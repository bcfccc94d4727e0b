// SPDX-License-Identifier: Apache-2.0

/// The WebSocket servers of others that the client is tried against, as a parameter of tests.
enum WebSocketPeer: String, CaseIterable, Sendable {
    /// Python's `websockets`.
    case websockets
    /// Python's `aiohttp`.
    case aiohttp
    /// Node's `ws`.
    case ws

    /// The one of this process.
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
