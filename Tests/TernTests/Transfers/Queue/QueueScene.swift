// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernConnections
import TernErrors
import TernFoundation
import TernTesting
@testable import TernTransferQueue
import TestSupport
import Testing

/// A queue of transfers, a folder with its directory and its files, and a client.
///
/// ``later(_:)`` creates the scene of a later process with the same folder.
struct QueueScene: Sendable {
    /// The limits of most tests: no attempt waits.
    static let immediate = TransferQueueConfiguration(
        backoff: Backoff(initialDelay: .zero),
        probeBackoff: Backoff(initialDelay: .zero)
    )

    /// Limits with delays that are not random.
    static let steady = TransferQueueConfiguration(
        maximumAttemptCount: 3,
        backoff: Backoff(initialDelay: .seconds(10), maximumDelay: .seconds(40), jitter: .none),
        probeBackoff: Backoff(initialDelay: .seconds(1), maximumDelay: .seconds(4), jitter: .none)
    )

    let folder: TemporaryFolder
    let clock: ManualClock
    let connector: MemoryConnector
    let client: Client

    /// Creates a scene.
    ///
    /// - Parameters:
    ///   - folder: The folder. Defaults to a new one.
    ///   - plan: The faults of each connection. Defaults to none.
    ///   - clock: The clock. Defaults to a new one.
    ///   - validation: The rules of the client. Defaults to none.
    ///   - server: Serves each connection.
    /// - Throws: An error of the file system.
    init(
        in folder: TemporaryFolder? = nil,
        plan: ConnectionPlan = .accept(),
        clock: ManualClock = ManualClock(),
        validation: [ValidationRule]? = nil,
        server: @escaping MemoryConnector.Server
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        self.clock = clock
        self.connector = .tested(plan: plan, clock: clock, connection: server)
        // The clock of a test may advance by hours while a server works.
        var configuration = Client.Configuration()
        configuration.timeouts = .patient(connect: nil, connection: nil, firstByte: nil, idle: nil)
        configuration.validation = validation
        self.client = Client(configuration: configuration.tested, connector: self.connector, clock: clock)
    }

    /// Creates a scene with a server of uploads.
    init(_ server: UploadServer, in folder: TemporaryFolder? = nil, plan: ConnectionPlan = .accept()) throws {
        try self.init(in: folder, plan: plan) { try await server.serve($0) }
    }

    /// Creates a scene with a server of resources.
    init(_ server: ResourceServer, in folder: TemporaryFolder? = nil, plan: ConnectionPlan = .accept()) throws {
        try self.init(in: folder, plan: plan) { await server.scripted.serve($0) }
    }

    /// The directory of the queue.
    var directory: URL { self.folder.file("queue") }
    /// The names in the directory of the queue.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: self.directory.path).sorted()) ?? [] }

    /// Opens the queue, as soon as an earlier one is released.
    func queue(
        _ configuration: TransferQueueConfiguration = Self.immediate,
        delegate: (any TransferQueueDelegate)? = nil,
        fault: TransferStore.Fault? = nil
    ) async throws -> TransferQueue {
        let opened = Mutex<TransferQueue?>(nil)
        try await eventually("the end of the lock") {
            do throws(TransferQueueError) {
                let queue = try await TransferQueue(self.directory, self.client, configuration, delegate, fault: fault)
                opened.withLock { $0 = queue }
                return true
            } catch {
                // A task that has just ended may still retain the earlier queue for a moment.
                guard error == .inUse else { throw error }
                return false
            }
        }
        return try #require(opened.withLock { $0.take() })
    }

    // MARK: Files

    /// Describes the download of a resource to a file with the same number.
    func download(_ number: Int, host: String = "test") -> TransferDescription {
        .download(from: URL.test(host, "\(number)"), to: self.folder.file("file\(number)"))
    }

    /// Writes a file, and describes its upload.
    func upload(
        _ number: Int,
        byteCount: Int = 100,
        method: HTTPRequest.Method = .post,
        by uploadProtocol: UploadProtocol = .draft(.eight)
    ) throws -> TransferDescription {
        let file = self.folder.file("file\(number)")
        try Data(RangeServer.content(byteCount, version: number)).write(to: file)
        return .upload(
            to: URL.test("test", "files"),
            fromFile: file,
            method: method,
            options: .init(uploadProtocol: uploadProtocol)
        )
    }

    /// Checks that a resource is complete, and that nothing is left beside it.
    func expectDownloaded(_ number: Int, byteCount: Int = 100, sourceLocation: SourceLocation = #_sourceLocation) {
        let bytes = (try? Data(contentsOf: self.folder.file("file\(number)"))).map { [UInt8]($0) }
        let content = RangeServer.content(byteCount, version: number)
        expectEqual(bytes, content, "resource \(number)", sourceLocation: sourceLocation)
        let names = (try? self.folder.names) ?? []
        let others = names.filter { $0.hasPrefix("file\(number).") }
        #expect(others == [], sourceLocation: sourceLocation)
    }
}

extension URL {
    /// Returns the URL of a resource.
    static func test(_ host: String, _ path: String) -> URL {
        guard let url = URL(string: "http://\(host)/\(path)") else { preconditionFailure("\(host) is not a host") }
        return url
    }
}

/// A server with a resource for each number.
final class ResourceServer: Sendable {
    private let conducts: Mutex<[Int: [Conduct]]>
    private let last: Conduct
    private let byteCount: Int
    private let requested = Journal<ReceivedRequest>()
    /// Called with the number of each requested resource.
    private let onRequest: @Sendable (Int) -> Void
    private let fields: HTTPFields

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - conducts: The conduct for the first requests of a resource, by its number.
    ///   - last: The conduct for all other requests. Defaults to `honest`.
    ///   - byteCount: The length of each resource. Defaults to 100.
    ///   - fields: The validators. Defaults to a strong entity tag.
    ///   - onRequest: Called with the number of each requested resource.
    init(
        _ conducts: [Int: [Conduct]] = [:],
        later last: Conduct = .honest,
        byteCount: Int = 100,
        fields: HTTPFields = [.eTag: "\"v1\""],
        onRequest: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.conducts = Mutex(conducts)
        (self.last, self.byteCount, self.fields, self.onRequest) = (last, byteCount, fields, onRequest)
    }

    var scripted: ScriptedServer { ScriptedServer { self.answer($0) } }
    var requests: [ReceivedRequest] { self.requested.all }
    /// The requested resources, in order.
    var numbers: [Int] { self.requests.map { Self.number(of: $0) } }

    /// Waits until a number of requests have arrived.
    func waitForRequests(_ count: Int) async { _ = await self.requested.wait(for: count) }

    private static func number(of request: ReceivedRequest) -> Int {
        Int(request.target.dropFirst().prefix { $0.isNumber }) ?? 0
    }

    private func answer(_ request: ReceivedRequest) -> ScriptedResponse {
        let number = Self.number(of: request)
        self.onRequest(number)
        let conduct = self.conducts.withLock { conducts -> Conduct in
            guard let first = conducts[number]?.first else { return self.last }
            conducts[number]?.removeFirst()
            return first
        }
        let resource = RangeServer(RangeServer.content(self.byteCount, version: number), self.fields)
        defer { self.requested.note(request) }
        return conduct.answer(resource, request)
    }
}

extension TransferQueue {
    /// The states of all transfers, in the order of adding.
    var states: [QueuedTransfer.State] { self.transfers.map(\.state) }

    /// Runs the queue in a task.
    func start(untilIdle: Bool = true) -> Task<Void, any Error> {
        Task { if untilIdle { try await self.runUntilIdle() } else { try await self.run() } }
    }

    /// Waits until a transfer has a state.
    func wait(for id: TransferID, _ condition: (QueuedTransfer) -> Bool) async throws {
        try await eventually("\(self.transfer(id).map { "\($0.state)" } ?? "removed")") {
            self.transfer(id).map { condition($0) } ?? false
        }
    }
}
