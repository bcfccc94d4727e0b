// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import Synchronization
import TernFoundation

/// Answers the requests that have this route's method and a path with this route's prefix.
struct DemoRoute: Sendable {
    typealias Answer = @concurrent @Sendable (inout DemoConnection, DemoServer) async throws -> Void

    let method: HTTPMethod
    let prefix: String
    let respond: Answer

    init(
        _ method: HTTPMethod,
        _ prefix: String,
        _ respond: @escaping Answer
    ) {
        self.method = method
        self.prefix = prefix
        self.respond = respond
    }

    /// The first match is used.
    static let all: [DemoRoute] = [
        DemoRoute(.GET, "/photos/updates") { connection, server in try await Self.sendUpdates(connection, server) },
        DemoRoute(.GET, "/photos/1/image") { connection, _ in
            let image = DemoImage.make(width: 64, height: 48)
            try await connection.send(.ok, type: "image/x-portable-pixmap", ByteBuffer(bytes: image))
        },
        DemoRoute(.GET, "/photos/1") { connection, server in
            try await connection.send(json: Self.firstPhoto(server))
        },
        DemoRoute(.PUT, SignInChapter.path) { connection, server in try await Self.makeFavourite(&connection, server) },
        DemoRoute(.PUT, "/photos/2") { connection, server in try await Self.storePhoto(&connection, server) },
        DemoRoute(.GET, TransferQueueChapter.largePath) { connection, server in
            try await connection.sendLargePhoto(of: server)
        },
        DemoRoute(.GET, "/photos/2") { connection, server in
            let photo = server.uploadedPhoto.withLock { $0 }
            try await connection.send(.ok, type: "application/octet-stream", photo)
        },
        DemoRoute(.GET, "/slow/") { connection, _ in try await connection.waitForClose() },
        DemoRoute(.GET, "/truncated") { connection, _ in
            try await connection.begin(.ok, type: "text/plain", length: 1000)
            try await connection.send(ByteBuffer(string: "only this."))
            throw DemoConnection.Disconnected()
        },
    ]

    static func route(for head: HTTPRequestHead) -> DemoRoute {
        Self.all.first { $0.method == head.method && head.uri.hasPrefix($0.prefix) }
            ?? DemoRoute(head.method, head.uri) { connection, _ in
                try await connection.send(.notFound, ByteBuffer(string: "no such photo\n"))
            }
    }

    private static func firstPhoto(_ server: DemoServer) -> PhotoChapter.Metadata {
        let favourites = 41 + server.admirers.withLock { $0.count }
        return PhotoChapter.Metadata(id: 1, title: "Biscuit on the beach", favourites: favourites)
    }

    /// The user must sign in with Basic authentication (RFC 7617 §2).
    @concurrent
    private static func makeFavourite(_ connection: inout DemoConnection, _ server: DemoServer) async throws {
        while try await connection.nextPiece() != nil {}
        let userPass = Data("\(SignInChapter.user):\(SignInChapter.password)".utf8)
        guard connection.authorization == "Basic \(userPass.base64EncodedString())" else {
            try await connection.begin(
                .unauthorized,
                type: "text/plain",
                length: 0,
                ["www-authenticate": "Basic realm=\"\(SignInChapter.realm)\", charset=\"UTF-8\""]
            )
            return try await connection.end()
        }
        server.admirers.withLock { _ = $0.insert(SignInChapter.user) }
        try await connection.send(json: Self.firstPhoto(server))
    }

    private static func sendUpdates(_ connection: borrowing DemoConnection, _ server: DemoServer) async throws {
        try await connection.begin(.ok, type: "application/x-ndjson")
        for number in 1...LiveCountsChapter.updateCount {
            if number == LiveCountsChapter.updateCount {
                guard try await server.journal.waits(for: .arrived(LiveCountsChapter.path)) else { break }
            }
            let update = LiveCountsChapter.Update(photo: 1 + number % 3, favourites: 40 + number)
            try await connection.send(ByteBuffer(bytes: try JSONEncoder().encode(update) + Data("\n".utf8)))
            try await Task.sleep(for: .milliseconds(100))
        }
        try await connection.end()
    }

    @concurrent
    private static func storePhoto(_ connection: inout DemoConnection, _ server: DemoServer) async throws {
        var photo = ByteBuffer()
        while let piece = try await connection.nextPiece() { photo.writeImmutableBuffer(piece) }
        let stored = photo
        server.uploadedPhoto.withLock { $0 = stored }
        let checksum = stored.withUnsafeReadableBytes { DemoPhoto.checksum(of: $0) }
        let receipt = UploadChapter.Receipt(byteCount: stored.readableBytes, checksum: checksum)
        try await connection.send(.created, json: receipt)
    }
}

extension DemoConnection {
    func send(_ status: HTTPResponseStatus = .ok, json value: some Encodable) async throws {
        let body = ByteBuffer(bytes: try JSONEncoder().encode(value))
        try await self.send(status, type: "application/json", body)
    }
}
