// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
@testable import Tern
import TernAuthentication
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

/// A client, a server that receives files, and a folder with the file that the client uploads.
struct UploadScene: Sendable {
    /// The URL that most calls request.
    static let url = "http://test/files"
    /// The name of the file.
    static let file = "video"
    /// The name of the record.
    static let record = "video.tern-upload"
    /// The protocols, for tests that do the same with each.
    static let protocols: [UploadProtocol] = [.draft(.eight), .draft(.six), .tus]

    let folder: TemporaryFolder
    let server: UploadServer
    let clock = ManualClock()
    let connector: MemoryConnector
    let client: Client
    /// The protocol of the calls.
    let uploadProtocol: UploadProtocol

    /// Creates a scene.
    ///
    /// - Parameters:
    ///   - faults: The server's fault for each request, in order.
    ///   - last: The server's fault for later requests. Defaults to none.
    ///   - uploadProtocol: The protocol. Defaults to version 8 of the draft.
    ///   - byteCount: The length of the file, in bytes. Defaults to 100.
    ///   - plan: The faults of each connection. Defaults to none.
    ///   - configuration: The settings of the client.
    /// - Throws: An error of the file system.
    init(
        _ faults: UploadFault...,
        later last: UploadFault = .none,
        by uploadProtocol: UploadProtocol = .draft(.eight),
        byteCount: Int = 100,
        plan: ConnectionPlan = .accept(),
        configuration: Client.Configuration = Client.Configuration()
    ) throws {
        let folder = try TemporaryFolder()
        try Data(RangeServer.content(byteCount)).write(to: folder.file(Self.file))
        let server = UploadServer(faults, later: last)
        self.init(server, in: folder, by: uploadProtocol, plan: plan, configuration: configuration)
    }

    /// Creates a scene with another client, as after the end of a process.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - folder: The folder, with the file.
    ///   - uploadProtocol: The protocol. Defaults to version 8 of the draft.
    ///   - plan: The faults of each connection. Defaults to none.
    ///   - configuration: The settings of the client.
    init(
        _ server: UploadServer,
        in folder: TemporaryFolder,
        by uploadProtocol: UploadProtocol = .draft(.eight),
        plan: ConnectionPlan = .accept(),
        configuration: Client.Configuration = Client.Configuration()
    ) {
        (self.server, self.folder, self.uploadProtocol) = (server, folder, uploadProtocol)
        self.connector = .tested(plan: plan, clock: self.clock) { try await server.serve($0) }
        self.client = Client(configuration: configuration.tested, connector: self.connector, clock: self.clock)
    }

    /// Returns a scene with the same server and folder, and another client.
    func later(configuration: Client.Configuration = Client.Configuration()) -> UploadScene {
        UploadScene(self.server, in: self.folder, by: self.uploadProtocol, configuration: configuration)
    }

    /// The file.
    var fileURL: URL { self.folder.file(Self.file) }
    /// The content of the file.
    var content: [UInt8] { self.bytes(Self.file) ?? [] }
    var requests: [ReceivedRequest] { self.server.requests }
    /// The methods of the requests.
    var methods: [HTTPRequest.Method] { self.requests.map(\.method) }
    /// The number of bytes of the content of each request that have arrived.
    var contentByteCounts: [Int] { self.requests.map(\.body.count) }

    /// The rules of a call that repeats without a delay.
    var rules: UploadResumption { self.rules(.immediate) }

    /// Returns the rules of a call.
    func rules(_ policy: ResumptionPolicy, _ change: (inout UploadResumption) -> Void = { _ in }) -> UploadResumption {
        var rules = UploadResumption(uploadProtocol: self.uploadProtocol, policy: policy)
        change(&rules)
        return rules
    }

    // MARK: Calls

    @discardableResult
    func upload(
        _ request: Request = Request(.post, Self.url),
        _ rules: UploadResumption? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> ResumedUpload {
        try await self.client.upload(
            for: request,
            fromFile: self.fileURL,
            resuming: rules ?? self.rules,
            delegate: delegate
        )
    }

    /// Returns the error of a call that fails; `nil` if it succeeds.
    func failure(
        _ request: Request = Request(.post, Self.url),
        _ rules: UploadResumption? = nil,
        delegate: (any TaskDelegate)? = nil
    ) async -> ClientError? {
        await ClientTestSupport.failure { () async throws(ClientError) in
            try await self.upload(request, rules, delegate: delegate)
        }
    }

    /// Returns the fault of a call that fails; `nil` if it succeeds.
    func fault(_ request: Request = Request(.post, Self.url), _ rules: UploadResumption? = nil) async -> Fault? {
        await self.failure(request, rules)?.fault
    }

    /// Returns the error of a call in a task.
    func error(of calling: Task<ResumedUpload, any Error>) async -> ClientError? {
        await #expect(throws: ClientError.self) { try await calling.value }
    }
}

extension UploadServer {
    /// Creates a server whose first request with content has a fault.
    ///
    /// With tus, the first request only creates the upload.
    convenience init(firstContent fault: UploadFault, by uploadProtocol: UploadProtocol) {
        self.init(uploadProtocol == .tus ? [.none, fault] : [fault])
    }
}
