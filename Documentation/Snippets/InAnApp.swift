// SPDX-License-Identifier: Apache-2.0
// The code in the article "In an app for iOS". scripts/check-snippets fails if the two copies differ.
import Foundation
import Tern
import TernTransferQueue

func suspendedDownload(_ client: Client, url: URL, destination: URL) async throws {
    // snippet.ios-download
    let download = try await client.download(from: url, to: destination, resuming: .automatic)
    // snippet.end
    _ = download
}

func suspendedSocket(
    _ client: Client,
    chatURL: URL,
    show: (WebSocketMessage) -> Void,
    isOnline: (Bool) -> Void
) async throws {
    // snippet.ios-socket
    for try await event in client.reconnectingWebSocket(from: chatURL) {
        switch event {
        case .connected, .reconnected: isOnline(true)
        case .message(let message): show(message)
        case .disconnected: isOnline(false)
        }
    }
    // snippet.end
}

func suspendedCall(_ client: Client, request: Request) async throws -> (Data, Response) {
    // snippet.ios-retry
    // A GET, a PUT, or a POST with an Idempotency-Key.
    let (data, response) = try await client.data(for: request.retry(RetryPolicy()))
    // snippet.end
    return (data, response)
}

// snippet.ios-queue
@MainActor
final class Transfers {
    private let queue: TransferQueue
    private var running: Task<Void, any Error>?

    init(_ queue: TransferQueue) { self.queue = queue }

    func appBecameActive() {
        if self.running == nil { self.running = Task { [queue] in try await queue.run() } }
        self.queue.networkChanged()  // do not wait out the pauses that began before
    }

    func appEntersBackground() async {
        self.running?.cancel()  // each transfer stores what it has
        _ = await self.running?.result
        self.running = nil
    }
}
// snippet.end

// snippet.ios-https
struct HTTPSOnly: Interceptor {
    struct NotSecure: Error {}

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        guard ["https", "wss"].contains(call.request.url.scheme?.lowercased()) else {
            throw .interceptorFailed(NotSecure(), call.context(.prepare))
        }
        return try await next.respond(to: call)
    }
}
// snippet.end

func secure() -> Client.Configuration {
    // snippet.ios-https
    var configuration = Client.Configuration()
    configuration.attemptInterceptors = [HTTPSOnly()]  // also sees the requests after a redirect
    // snippet.end
    return configuration
}

func small() -> Client.Configuration {
    // snippet.ios-memory
    var configuration = Client.Configuration()
    configuration.maximumBodyByteCount = 4 << 20  // instead of 256 MiB
    configuration.pool.maximumIdleConnections = 4
    // snippet.end
    return configuration
}
