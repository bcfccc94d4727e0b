// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
@testable import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

/// A client that requests short ranges at the same time, a server with one resource, and a folder for the file.
struct ParallelScene: Sendable {
    /// Answers a request; the number counts the requests from 0.
    typealias Answer = @Sendable (RangeServer, ReceivedRequest, _ number: Int) async throws -> ScriptedResponse

    /// The resource, which may change between two requests.
    private final class Resource: Sendable {
        let server: Mutex<RangeServer>

        init(_ server: RangeServer) { self.server = Mutex(server) }
    }

    let transfer: TransferScene
    let scene: ClientScene
    private let resource: Resource

    /// Creates a scene.
    ///
    /// - Parameters:
    ///   - server: The resource at first. Defaults to 200 bytes with a strong entity tag.
    ///   - folder: The folder of the file. Defaults to a new one.
    ///   - plan: The faults of each connection. Defaults to none.
    ///   - configuration: The settings of the client.
    ///   - answer: The server's conduct. Defaults to an honest one.
    /// - Throws: An error of the file system.
    init(
        _ server: RangeServer = RangeServer(RangeServer.content(200)),
        in folder: TemporaryFolder? = nil,
        plan: ConnectionPlan = .accept(),
        configuration: Client.Configuration = Client.Configuration(),
        answer: @escaping Answer = { server, request, _ in server.answer(request) }
    ) throws {
        let resource = Resource(server)
        self.resource = resource
        self.transfer = try TransferScene(resource: server, in: folder)
        self.scene = ClientScene(plan: plan, configuration) { request in
            try await answer(resource.server.withLock { $0 }, request, (request.number ?? 1) - 1)
        }
    }

    var folder: TemporaryFolder { self.transfer.folder }
    var requests: [ReceivedRequest] { self.scene.server.requests }
    var ranges: [String?] { self.requests.map { $0.fields[.range] } }
    var content: [UInt8] { self.resource.server.withLock { $0.content } }

    func change(_ change: (inout RangeServer) -> Void) { self.resource.server.withLock { change(&$0) } }

    /// Downloads the file as the client does, but in ranges of other lengths.
    ///
    /// - Parameters:
    ///   - count: The maximum number of requests at the same time. Defaults to 4.
    ///   - policy: The rules after an interruption.
    ///   - pieces: The lengths of the ranges. Defaults to 10 bytes.
    ///   - limit: The request's own limit for the file. Defaults to `nil`.
    ///   - checksum: The hash that the file must have.
    ///   - delegate: Handles the events of the call.
    /// - Returns: The result of the call.
    /// - Throws: `ClientError`.
    func download(
        _ count: Int = 4,
        _ policy: ResumptionPolicy = .immediate,
        pieces: PieceLength = PieceLength(minimum: 10, maximum: 10),
        limit: Int? = nil,
        expecting checksum: Checksum? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> ResumedDownload {
        let client = self.scene.client
        var request = Request(.get, TransferScene.url)
        request.options.maximumBodyByteCount = limit
        let delegation = client.delegation(for: request, delegate)
        do throws(ClientError) {
            let call = try client.call(request, delegation, from: client.clock.now)
            delegation?.begin(call)
            delegation?.leaveProgressToCall()
            var download = try await DurableDownload(
                call,
                to: self.transfer.destination,
                resuming: policy,
                expecting: checksum?.digest,
                stages: client.stages(for: call),
                keptByteCount: 100,
                maximumRequestCount: count,
                pieces: pieces
            )
            let result = try await download.run()
            await delegation?.finish(nil)
            return result
        } catch {
            await delegation?.finish(error)
            throw error
        }
    }

    /// Returns the error of a call that fails; `nil` if it succeeds.
    func failure(
        _ count: Int = 4,
        _ policy: ResumptionPolicy = .manual,
        pieces: PieceLength = PieceLength(minimum: 10, maximum: 10),
        limit: Int? = nil
    ) async -> ClientError? {
        await ClientTestSupport.failure { () async throws(ClientError) in
            try await self.download(count, policy, pieces: pieces, limit: limit)
        }
    }

    /// Checks that the complete file has the content of the resource, and that nothing is left beside it.
    func expectComplete(_ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation)
    {
        expectEqual(self.transfer.bytes(TransferScene.file), self.content, comment(), sourceLocation: sourceLocation)
        #expect((try? self.folder.names) == [TransferScene.file], comment(), sourceLocation: sourceLocation)
    }

    /// Checks that the requests asked for each byte of a range once.
    func expectEachByteOnce(
        _ requests: some Collection<ReceivedRequest>,
        in missing: ByteRangeSet,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var asked = ByteRangeSet()
        for request in requests {
            guard let first = request.firstByte, let end = request.endByte else {
                Issue.record("a request has no range", sourceLocation: sourceLocation)
                continue
            }
            let range = Int64(first)..<Int64(min(end, self.content.count))
            #expect(asked.gaps(in: range) == [range], "\(range)", sourceLocation: sourceLocation)
            asked.insert(range)
        }
        #expect(asked == missing, sourceLocation: sourceLocation)
    }
}

/// A point that several requests must reach before any of them goes on.
actor Meeting {
    private let count: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOver = false

    init(of count: Int) { self.count = count }

    func arrive() async {
        guard !self.isOver else { return }
        guard self.waiting.count + 1 < self.count else {
            self.isOver = true
            for continuation in self.waiting { continuation.resume() }
            self.waiting = []
            return
        }
        await withCheckedContinuation { self.waiting.append($0) }
    }
}
