// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport
internal import FoundationEssentials
internal import Tern

struct TernWebSocketPeer: WebSocketPeer {
    let name: String
    let executor: (any TaskExecutor)?
    private let client: Client

    /// Creates a client with the defaults.
    init(arguments: Arguments) {
        self.client = Client()
        self.name = arguments.usesClientExecutor ? "tern-executor" : "tern"
        self.executor = arguments.usesClientExecutor ? self.client.executor : nil
    }

    func connect(to url: String, offersCompression: Bool, messages: [String]) async throws -> TernConnection {
        guard let url = URL(string: url) else { throw UnexpectedAnswer("not a URL: \(url)") }
        let options = WebSocketOptions(compression: offersCompression ? .default : .disabled)
        let socket = try await self.client.webSocket(from: url, options: options)
        guard socket.isCompressed == offersCompression else {
            throw UnexpectedAnswer("not the extension that was asked for")
        }
        return TernConnection(socket: socket, messages: messages)
    }
}

struct TernConnection: WebSocketConnection {
    let socket: WebSocket
    let messages: [String]

    func echo(_ count: Int) async throws -> Exchanged {
        var exchanged = Exchanged()
        exchanged.trips.reserveCapacity(count)
        var iterator = self.socket.makeAsyncIterator()
        for index in 0..<count {
            let start = ContinuousClock.now
            try await self.socket.send(self.messages[index % self.messages.count])
            guard case .text(let text) = try await iterator.next() else { break }
            exchanged.trips.append(.now - start)
            exchanged.add(byteCount: text.utf8.count)
        }
        try await self.close()
        return exchanged
    }

    func receive() async throws -> Exchanged {
        try await self.socket.send("go")
        var exchanged = Exchanged()
        for try await message in self.socket {
            switch message {
            case .text(let text): exchanged.add(byteCount: text.utf8.count)
            case .binary(let data): exchanged.add(byteCount: data.count)
            }
        }
        return exchanged
    }

    func send(_ count: Int) async throws -> Exchanged {
        var exchanged = Exchanged()
        for index in 0..<count {
            let message = self.messages[index % self.messages.count]
            try await self.socket.send(message, compression: .always)
            exchanged.add(byteCount: message.utf8.count)
        }
        try await self.close()
        return exchanged
    }

    private func close() async throws {
        await self.socket.close()
        guard self.socket.closeCode == .normalClosure else { throw UnexpectedAnswer("not a clean close") }
    }
}
