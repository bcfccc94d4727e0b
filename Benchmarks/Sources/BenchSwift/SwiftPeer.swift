// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport
internal import Foundation

/// Makes strings and values in memory, without a network, with nothing but the standard library and Foundation.
///
/// The content is in the file of the arguments. Each function does only what a client in Swift cannot leave out: it finds
/// the ends of lines, creates the strings, and decodes the values with `JSONDecoder`. Where the standard library checks
/// that a string is UTF-8, a client with a faster check of its own can be ahead.
@main struct SwiftPeer: Peer {
    let name = "swift"
    private let content: Data

    static func main() { perform { await run(SwiftPeer.init, webSocket: SwiftWebSocketPeer.init) } }

    private init(arguments: Arguments) throws {
        self.content = try Data(contentsOf: URL(fileURLWithPath: arguments.file))
    }

    func get(_ url: String) async throws -> Int { 0 }

    func lines(_ url: String, line: (String) -> Void) async throws {
        self.forEachLine { line(String(decoding: $0, as: UTF8.self)) }
    }

    func events(_ url: String, event: (String) -> Void) async throws {
        self.forEachEvent { event(String(decoding: $0, as: UTF8.self)) }
    }

    func deltas(_ url: String, delta: (Photo) -> Void) async throws {
        let decoder = JSONDecoder()
        try self.forEachEvent { delta(try decoder.decode(Photo.self, from: Data($0))) }
    }

    func values(_ url: String, value: (Photo) -> Void) async throws {
        let decoder = JSONDecoder()
        try self.forEachLine { value(try decoder.decode(Photo.self, from: Data($0))) }
    }

    func data(_ url: String) async throws -> Int { throw UnexpectedAnswer("there is no network") }

    func download(_ url: String, to file: String) async throws -> Int { try await self.data(url) }

    func upload(_ file: String, to url: String) async throws -> Int { try await self.data(url) }

    /// Calls `body` with the data of each event, if it is one line, as the data of the server's events is.
    private func forEachEvent(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        let field: [UInt8] = Array("data: ".utf8)
        try self.forEachLine { line in
            guard let start = line.baseAddress, line.count >= field.count, memcmp(start, field, field.count) == 0 else {
                return
            }
            try body(UnsafeRawBufferPointer(rebasing: line[field.count...]))
        }
    }

    /// Calls `body` with each line of the content, without its end.
    private func forEachLine(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try self.content.withUnsafeBytes { bytes in
            var rest = bytes
            while let start = rest.baseAddress, let end = memchr(start, 0x0A, rest.count) {
                let count = UnsafeRawPointer(end) - start
                try body(UnsafeRawBufferPointer(rebasing: rest[..<count]))
                rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
            }
        }
    }
}

/// Creates a string from the bytes of each message, which checks that they are UTF-8.
struct SwiftWebSocketPeer: WebSocketPeer {
    let name = "swift"
    private let count: Int

    init(arguments: Arguments) { self.count = arguments.requestCount ?? 1 }

    func connect(to url: String, offersCompression: Bool, messages: [String]) async throws -> SwiftWebSocket {
        SwiftWebSocket(messages: messages.map { Array($0.utf8) }, count: self.count)
    }
}

struct SwiftWebSocket: WebSocketConnection {
    let messages: [[UInt8]]
    let count: Int

    func receive() async throws -> Exchanged {
        var exchanged = Exchanged()
        for number in 0..<self.count {
            let message = String(decoding: self.messages[number % self.messages.count], as: UTF8.self)
            exchanged.add(byteCount: message.utf8.count)
        }
        return exchanged
    }

    func echo(_ count: Int) async throws -> Exchanged { throw UnexpectedAnswer("there is no network") }

    func send(_ count: Int) async throws -> Exchanged { throw UnexpectedAnswer("there is no network") }
}
