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

/// A client, a server with one resource, and a folder for the file that the client downloads.
struct TransferScene: Sendable {
    /// The URL that most calls request.
    static let url = "http://test/file"
    /// The name of the complete file.
    static let file = "file"
    /// The name of the partial file.
    static let partial = "file.tern-partial"
    /// The name of the record.
    static let record = "file.tern-record"

    let folder: TemporaryFolder
    let scene: ClientScene
    private let resource: Resource
    private let sent: Journal<Int>

    /// The resource, which may change between two requests.
    private final class Resource: Sendable {
        let server: Mutex<RangeServer>

        init(_ server: RangeServer) { self.server = Mutex(server) }
    }

    /// Creates a scene.
    ///
    /// - Parameters:
    ///   - conducts: The server's conduct for each request, in order.
    ///   - last: The server's conduct for later requests. Defaults to `honest`.
    ///   - resource: The resource at first. Defaults to one of 100 bytes with a strong entity tag.
    ///   - folder: The folder of the file. Defaults to a new one.
    ///   - plan: The faults of each connection. Defaults to none.
    ///   - configuration: The settings of the client.
    /// - Throws: An error of the file system.
    init(
        _ conducts: Conduct...,
        later last: Conduct = .honest,
        resource: RangeServer = RangeServer(),
        in folder: TemporaryFolder? = nil,
        plan: ConnectionPlan = .accept(),
        configuration: Client.Configuration = Client.Configuration()
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        let (resource, sent) = (Resource(resource), Journal<Int>())
        (self.resource, self.sent) = (resource, sent)
        self.scene = ClientScene(plan: plan, configuration) { request in
            let index = (request.number ?? 1) - 1
            let server = resource.server.withLock { $0 }
            let conduct = index < conducts.count ? conducts[index] : last
            let response = conduct.answer(server, request)
            sent.note(response.body.count)
            return response
        }
    }

    var client: Client { self.scene.client }
    var clock: ManualClock { self.scene.clock }
    var requests: [ReceivedRequest] { self.scene.server.requests }
    /// The values of `Range` in the requests.
    var ranges: [String?] { self.requests.map { $0.fields[.range] } }
    /// The values of `If-Range` in the requests.
    var conditions: [String?] { self.requests.map { $0.fields[.ifRange] } }
    /// The number of bytes of the body of each response, with its framing.
    var sentByteCounts: [Int] { self.sent.all }
    /// The present content of the resource.
    var content: [UInt8] { self.resource.server.withLock { $0.content } }
    /// The URL of the complete file.
    var destination: URL { self.folder.file(Self.file) }

    /// Changes the resource.
    func change(_ change: (inout RangeServer) -> Void) { self.resource.server.withLock { change(&$0) } }

    // MARK: Calls

    func download(
        _ url: String = Self.url,
        _ policy: ResumptionPolicy = .immediate,
        expecting checksum: Checksum? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> ResumedDownload {
        try await self.download(Request(.get, url), policy, expecting: checksum, delegate: delegate)
    }

    func download(
        _ request: Request,
        _ policy: ResumptionPolicy = .immediate,
        expecting checksum: Checksum? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> ResumedDownload {
        try await self.client.download(
            for: request,
            to: self.destination,
            resuming: policy,
            expecting: checksum,
            delegate: delegate
        )
    }

    /// Returns the error of a call that fails; `nil` if it succeeds.
    func failure(
        _ url: String = Self.url,
        _ policy: ResumptionPolicy = .manual,
        expecting checksum: Checksum? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async -> ClientError? {
        await ClientTestSupport.failure { () async throws(ClientError) in
            try await self.download(url, policy, expecting: checksum, delegate: delegate)
        }
    }

    /// Returns the fault of a call that fails; `nil` if it succeeds.
    func fault(
        _ url: String = Self.url,
        _ policy: ResumptionPolicy = .manual,
        expecting checksum: Checksum? = nil
    ) async -> Fault? { await self.failure(url, policy, expecting: checksum)?.fault }
}

extension ResumptionPolicy {
    /// The default rules, but without a delay.
    static let immediate = ResumptionPolicy(backoff: Backoff(initialDelay: .zero))

    /// The default rules, but with a delay that is not random.
    static func steady(_ delay: Duration) -> ResumptionPolicy {
        ResumptionPolicy(backoff: Backoff(initialDelay: delay, factor: 1, jitter: .none))
    }
}
