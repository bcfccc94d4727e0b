// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TernFoundation

/// The server of the photo-sharing app: on a free port on loopback, with its own thread.
final class DemoServer: Sendable {
    private typealias Listener = NIOAsyncChannel<DemoConnection.Channel, Never>

    let address: URL
    let livePort: Int
    let room = LiveRoom()
    /// A port on which no server listens.
    let unusedPort: Int
    let journal = DemoJournal()
    /// The users who added the first photo to their favourites, in addition to 41 earlier ones.
    let admirers = Mutex<Set<String>>([])
    let uploadedPhoto = Mutex(ByteBuffer())
    let sentParts = Mutex<[Part]>([])

    private init(address: URL, livePort: Int, unusedPort: Int) {
        self.address = address
        self.livePort = livePort
        self.unusedPort = unusedPort
    }

    func liveURL(_ name: String) throws -> URL {
        guard let url = URL(string: "ws://127.0.0.1:\(self.livePort)/live/\(name)") else {
            throw DemoFailure("\(name) fits into a URL")
        }
        return url
    }

    static func run(_ body: @Sendable (DemoServer) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            try await Self.run(on: group, body)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try await group.shutdownGracefully()
    }

    private static func run(
        on group: MultiThreadedEventLoopGroup,
        _ body: @Sendable (DemoServer) async throws -> Void
    ) async throws {
        let unused = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let unusedPort = unused.localAddress?.port ?? 1
        try await unused.close()

        let listener: Listener = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture { try DemoConnection.makeChannel(on: channel) }
        }
        let live = try await LiveListener(on: group)
        guard let port = listener.channel.localAddress?.port, let livePort = live.port,
            let address = URL(string: "http://127.0.0.1:\(port)")
        else {
            throw DemoFailure("the server gets a port")
        }
        let server = DemoServer(address: address, livePort: livePort, unusedPort: unusedPort)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await server.serve(listener) }
            tasks.addTask { try await live.serve(server.room, server.journal) }
            try await body(server)
            tasks.cancelAll()
        }
    }

    private func serve(_ listener: Listener) async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            try await listener.executeThenClose { connections in
                for try await connection in connections {
                    tasks.addTask { try? await DemoConnection.serve(connection, for: self) }
                }
            }
        }
    }
}

final class DemoJournal: Sendable {
    enum Event: Hashable, Sendable {
        case requested(String)
        case arrived(String)
        /// The response to this path stayed incomplete.
        case disconnected(String)
        /// The member closed the live channel, or answered the server's Close frame, with this code; 1005 if it sent none.
        case left(String, code: UInt16)
    }

    private let events = Mutex<Set<Event>>([])

    func record(_ event: Event) { self.events.withLock { _ = $0.insert(event) } }

    func holds(_ event: Event) -> Bool { self.events.withLock { $0.contains(event) } }

    /// Waits for at most 60 seconds, which is enough even on a busy machine.
    func waits(for event: Event) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while !self.holds(event) {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: .milliseconds(2))
        }
        return true
    }
}
