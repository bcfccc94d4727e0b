// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TernTransfers
import TestSupport
import Testing

extension UploadScene {
    /// Creates a scene whose first request with content has a fault.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - uploadProtocol: The protocol.
    ///   - byteCount: The length of the file, in bytes. Defaults to 100.
    ///   - plan: The faults of each connection. Defaults to none.
    ///   - configuration: The settings of the client.
    /// - Throws: An error of the file system.
    init(
        firstContent fault: UploadFault,
        by uploadProtocol: UploadProtocol,
        byteCount: Int = 100,
        plan: ConnectionPlan = .accept(),
        configuration: Client.Configuration = Client.Configuration()
    ) throws {
        let folder = try TemporaryFolder()
        try Data(RangeServer.content(byteCount)).write(to: folder.file(Self.file))
        let server = UploadServer(firstContent: fault, by: uploadProtocol)
        self.init(server, in: folder, by: uploadProtocol, plan: plan, configuration: configuration)
    }

    /// Creates a scene after a call of another client that ended in the middle of the content.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes that the server has.
    ///   - uploadProtocol: The protocol. Defaults to version 8 of the draft.
    /// - Returns: The scene.
    /// - Throws: An error of the file system.
    static func interrupted(
        after byteCount: Int,
        by uploadProtocol: UploadProtocol = .draft(.eight)
    ) async throws
        -> UploadScene
    {
        let scene = try UploadScene(firstContent: .cut(afterByteCount: byteCount), by: uploadProtocol)
        #expect(await scene.failure(Request(.post, Self.url), scene.rules(.manual)) != nil)
        #expect(try scene.folder.names == [Self.file, Self.record])
        return scene.later()
    }

    /// Checks that the resource has processed the file once, and that nothing is left beside the file.
    func expectComplete(_ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation)
    {
        #expect(self.server.files.count == 1, comment(), sourceLocation: sourceLocation)
        expectEqual(self.server.files.first, self.content, comment(), sourceLocation: sourceLocation)
        #expect((try? self.folder.names) == [Self.file], comment(), sourceLocation: sourceLocation)
    }

    /// Checks that the resource has not processed the file, and that the record is still there.
    func expectUnfinished(
        _ comment: @autoclosure () -> Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(self.server.files.isEmpty, comment(), sourceLocation: sourceLocation)
        #expect((try? self.folder.names) == [Self.file, Self.record], comment(), sourceLocation: sourceLocation)
    }

    /// Returns the record beside the file.
    func storedRecord() throws -> UploadRecord {
        try UploadRecord(decoding: [UInt8](Data(contentsOf: self.folder.file(Self.record))))
    }

    /// Returns the content of a file in the folder; `nil` if there is none.
    func bytes(_ name: String) -> [UInt8]? { (try? Data(contentsOf: self.folder.file(name))).map { [UInt8]($0) } }

    /// Writes a file of the folder in place, so that its number stays the same.
    func overwrite(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: self.folder.file(name)) }

    /// Waits until the client has received a number of informational responses.
    func waitForNotices(_ count: Int, _ delegate: RecordingDelegate) async throws {
        try await eventually("\(count) informational responses, found \(delegate.events)") {
            delegate.notices.count >= count
        }
    }
}

extension RecordingDelegate {
    /// The informational responses.
    var notices: [HTTPResponse] {
        self.events.compactMap { event in if case .informational(let response) = event { response } else { nil } }
    }

    /// The progress of the request bodies.
    var sent: [TransferProgress] {
        self.events.compactMap { event in if case .sent(let progress) = event { progress } else { nil } }
    }

    /// The delays before repetitions.
    var delays: [Duration] {
        self.events.compactMap { event in if case .retried(let delay) = event { delay } else { nil } }
    }

    /// Checks that the call was reported as over exactly once, at the end.
    func expectOneEnd(hasFailed: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) {
        let ends = self.events.filter { if case .completed = $0 { true } else { false } }
        #expect(ends == [.completed(hasFailed: hasFailed)], sourceLocation: sourceLocation)
        #expect(self.events.last == ends.first, sourceLocation: sourceLocation)
        #expect(self.taskIDs.count == 1, sourceLocation: sourceLocation)
    }
}
