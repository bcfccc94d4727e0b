// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
@testable import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A durable download that is synchronized while it runs", .hangLimit)
struct SynchronizedTransferTests {
    /// The reason for a synchronization.
    enum Trigger: CaseIterable {
        case byteCount
        case time
    }

    /// A server that sends an endless content until the client has written a record.
    private struct EndlessServer: Sendable {
        let clock = ManualClock()
        let client: Client
        /// The number of bytes that the server has sent when it stops; none before.
        let byteCounts: Journal<Int>

        init(_ trigger: Trigger, until folder: TemporaryFolder) {
            let byteCounts = Journal<Int>()
            let connector = MemoryConnector.tested(clock: self.clock) { [clock] connection in
                _ = try await connection.readRequest()
                try await connection.write("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\n")
                var range = 0..<70_000
                try await eventually("the client has written a record") {
                    let bytes = RangeServer.content(in: range)
                    try await connection.write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
                    if trigger == .time { clock.advance(by: .seconds(1)) }
                    range = range.upperBound..<range.upperBound + bytes.count
                    return try folder.names.contains(TransferScene.record)
                }
                byteCounts.note(range.lowerBound)
                await connection.waitForEnd()
            }
            self.byteCounts = byteCounts
            var configuration = Client.Configuration()
            configuration.timeouts = .none
            self.client = Client(configuration: configuration.tested, connector: connector, clock: self.clock)
        }
    }

    @Test(arguments: Trigger.allCases)
    func `the record is on the disk while the call runs, and is true after a kill`(trigger: Trigger) async throws {
        let folder = try TemporaryFolder()
        let server = EndlessServer(trigger, until: folder)
        let destination = folder.file(TransferScene.file)
        let calling = Task {
            var download = try await server.client.durableDownload(
                to: destination,
                syncInterval: trigger == .byteCount ? 10_000 : .max
            )
            return try await download.run()
        }
        let sentByteCount = try #require(await server.byteCounts.wait(for: 1).first)
        let resource = RangeServer(RangeServer.content(sentByteCount + 1000))
        // The files as they are now, as if the process had ended.
        let killed = try TransferScene(resource: resource, in: TransferScene(in: folder).copiedFiles())
        let byteCount = try killed.storedRecord().ranges.byteCount
        #expect(byteCount > 0)
        try killed.expectUnfinished(Int(byteCount))
        #expect(try await killed.download().resumedByteCount == byteCount)
        killed.expectComplete()
        #expect(killed.ranges == ["bytes=\(byteCount)-"])
        // The call itself ends in order, and keeps more.
        calling.cancel()
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.fault == .cancelled)
        let cancelled = try TransferScene(resource: resource, in: folder)
        #expect(try await cancelled.download().resumedByteCount >= byteCount)
        cancelled.expectComplete()
    }

    @Test(arguments: [1, 50_000, 500_000] as [Int64])
    func `synchronizations do not change the file`(syncInterval: Int64) async throws {
        let scene = try TransferScene(
            .cut(afterBodyByteCount: 700_000),
            .cut(afterBodyByteCount: 700_000),
            resource: RangeServer(RangeServer.content(2_000_000)),
            plan: .accept(toClient: [.drip(bytesPerPiece: 30_000)])
        )
        var download = try await scene.client.durableDownload(to: scene.destination, syncInterval: syncInterval)
        #expect(try await download.run().byteCount == 2_000_000)
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=700000-", "bytes=1400000-"])
    }

    @Test(.http1Only("a reset may discard what has arrived"))
    func `an interruption during a synchronization does not prevent the next one`() async throws {
        let folder = try TemporaryFolder()
        let requests = Journal<String?>()
        let connector = MemoryConnector.tested { connection in
            let request = try await connection.readRequest()
            let range = request?.fields[.range]
            requests.note(range)
            guard range != nil else {
                // One piece, which begins a synchronization, and then the end of the connection.
                return try await connection.write(
                    "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 900000000\r\n\r\nx"
                )
            }
            try await connection.write(
                "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Length: 899999999\r\n"
                    + "Content-Range: bytes 1-899999999/900000000\r\n\r\n"
            )
            try await eventually("the record has bytes of the second response") {
                try await connection.write([UInt8](repeating: 120, count: 1000))
                let record = try? TransferScene(in: folder).storedRecord()
                return record.map { $0.ranges.byteCount > 1 } ?? false
            }
            requests.note("recorded")
            await connection.waitForEnd()
        }
        let client = Client(configuration: .patient.tested, connector: connector)
        let calling = Task {
            var download = try await client.durableDownload(to: folder.file(TransferScene.file), syncInterval: 1)
            return try await download.run()
        }
        #expect(await requests.wait(for: 3) == [nil, "bytes=1-", "recorded"])
        calling.cancel()
        await #expect(throws: ClientError.self) { try await calling.value }
    }

    @Test func `a resource that changes after a synchronization leaves no record of the old version`() async throws {
        let resource = RangeServer(RangeServer.content(700_000))
        let changed = RangeServer(RangeServer.content(600_000, version: 2), [.eTag: "\"v2\""])
        let scene = try TransferScene(
            .cut(afterBodyByteCount: 500_000),
            Conduct { _, request in changed.answer(request).cut(afterBodyByteCount: 0) },
            resource: resource,
            plan: .accept(toClient: [.drip(bytesPerPiece: 30_000)])
        )
        var download = try await scene.client.durableDownload(to: scene.destination, .twice, syncInterval: 1000)
        await #expect(throws: ClientError.self) { try await download.run() }
        let record = try? scene.storedRecord()
        #expect(record.map { $0.validator.entityTag } != "\"v1\"")
        #expect(record?.ranges.isEmpty != false)
        scene.change { $0 = changed }
        _ = try await scene.download()
        scene.expectComplete()
    }
}

extension ResumptionPolicy {
    /// The call ends after the second interruption.
    fileprivate static let twice = ResumptionPolicy(maximumAttemptCount: 2, backoff: Backoff(initialDelay: .zero))
}

extension Client {
    /// Opens the files for a call, as the client does, but with another interval between two synchronizations.
    func durableDownload(
        to destination: URL,
        _ policy: ResumptionPolicy = .immediate,
        syncInterval: Int64 = 1 << 20,
        maximumRequestCount: Int = 1,
        pieces: PieceLength = PieceLength()
    ) async throws(ClientError) -> DurableDownload {
        let call = try self.call(Request(.get, TransferScene.url), nil, from: self.clock.now)
        return try await DurableDownload(
            call,
            to: destination,
            resuming: policy,
            expecting: nil,
            stages: self.stages(for: call),
            keptByteCount: 0,
            maximumRequestCount: maximumRequestCount,
            syncInterval: syncInterval,
            pieces: pieces
        )
    }
}
