// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A server with photos in memory, on loopback.
actor PhotoServer {
    private typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    private struct NewPhoto: Decodable {
        var title: String
        var tags: [String]
    }

    private var photos = [
        Photo(id: 1, title: "Biscuit on the beach", tags: ["dog", "sea"]),
        Photo(id: 2, title: "Biscuit asleep", tags: ["dog"]),
    ]

    /// Starts a server, runs `body`, and then stops the server.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free port.
    ///   - body: A closure that uses the server. Its argument is the address of the server.
    /// - Throws: An error of `body`, or an error that says why the server cannot open the port.
    static func run(port: Int, _ body: @Sendable (String) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                return try Channel(wrappingChannelSynchronously: channel)
            }
        }
        let server = PhotoServer()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await server.serve(listener) }
            try await body("http://127.0.0.1:\(listener.channel.localAddress?.port ?? port)")
            tasks.cancelAll()
        }
    }

    private func serve(_ listener: NIOAsyncChannel<Channel, Never>) async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            try await listener.executeThenClose { connections in
                for try await connection in connections { tasks.addTask { try? await self.serve(connection) } }
            }
        }
    }

    private func serve(_ connection: Channel) async throws {
        try await connection.executeThenClose { parts, responses in
            var head: HTTPRequestHead?
            var body = Data()
            for try await part in parts {
                switch part {
                case .head(let next): (head, body) = (next, Data())
                case .body(let piece): body.append(contentsOf: piece.readableBytesView)
                case .end:
                    guard let head else { return }
                    let (status, content) = try self.answer(head, body)
                    let type = head.uri == "/viewers" ? "text/event-stream" : "application/json"
                    var fields: HTTPHeaders = ["content-type": type]
                    if status != .noContent { fields.add(name: "content-length", value: "\(content.count)") }
                    try await responses.write(
                        .head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))
                    )
                    try await responses.write(.body(.byteBuffer(ByteBuffer(bytes: content))))
                    try await responses.write(.end(nil))
                }
            }
        }
    }

    private func answer(_ head: HTTPRequestHead, _ body: Data) throws -> (HTTPResponseStatus, Data) {
        let parts = URLComponents(string: head.uri)
        let id = parts?.path.split(separator: "/").last.flatMap { Int($0) }
        switch (head.method, parts?.path) {
        case (.GET, "/updates"):
            return (.ok, Data("{\"photo\":1,\"viewers\":3}\n{\"photo\":2,\"viewers\":5}\n".utf8))
        case (.GET, "/viewers"):
            let events = [#"{"photo":1,"viewers":4}"#, #"{"photo":2,"viewers":5}"#, "[DONE]"]
            return (.ok, Data(events.map { "data: \($0)\n\n" }.joined().utf8))
        case (.GET, "/photos"):
            let items = parts?.queryItems ?? []
            let text = items.first { $0.name == "text" }?.value ?? ""
            let limit = items.first { $0.name == "limit" }?.value.flatMap { Int($0) } ?? 10
            return (.ok, try JSONEncoder().encode(Array(self.photos.filter { $0.title.contains(text) }.prefix(limit))))
        case (.POST, "/photos"):
            let new = try JSONDecoder().decode(NewPhoto.self, from: body)
            let photo = Photo(id: (self.photos.map(\.id).max() ?? 0) + 1, title: new.title, tags: new.tags)
            self.photos.append(photo)
            return (.created, try JSONEncoder().encode(photo))
        case (.GET, _):
            guard let photo = self.photos.first(where: { $0.id == id }) else { return (.notFound, Data("{}".utf8)) }
            return (.ok, try JSONEncoder().encode(photo))
        case (.DELETE, _):
            self.photos.removeAll { $0.id == id }
            return (.noContent, Data())
        default:
            return (.methodNotAllowed, Data())
        }
    }
}
