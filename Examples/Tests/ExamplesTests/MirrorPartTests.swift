// SPDX-License-Identifier: Apache-2.0
import DemoServer
import DemoTerminal
import Foundation
import Synchronization
import Tern
import Testing

@testable import Mirror

/// Mirrors a file from servers that send parts in all ways that HTTP allows, and in some that it does not allow.
@Suite(.timeLimit(.minutes(1))) struct MirrorPartTests {
    private static let photo = DemoPhoto(byteCount: 10_000, seed: 7)

    /// Mirrors one file whose first bytes are there from an earlier run.
    ///
    /// Returns the line that the mirror prints, the content of the file, and the number of requests.
    private static func mirror(
        keeping kept: Int,
        _ answer: @escaping @Sendable (_ start: Int?) -> DemoAnswer
    ) async throws -> (line: String, file: Data?, asked: Int) {
        let folder = MirrorFolder(
            root: FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        )
        defer { try? FileManager.default.removeItem(at: folder.root) }
        let result = Mutex<(line: String, file: Data?, asked: Int)>(("", nil, 0))
        let answering: DemoServer.Answering = { request in
            answer(request["range"].flatMap { Int($0.dropFirst(6).dropLast()) })
        }
        try await DemoServer.run(answering: answering) { server in
            let item = try #require(try MirrorItem.list("\(server.address)/a").first)
            if kept > 0 {
                try folder.prepare(item)
                try Data(Self.photo.bytes[..<kept]).write(to: folder.part(item))
                try await Ledger(folder.ledgerFile).note(item) { $0.partTag = Self.photo.entityTag }
            }
            var lines: [String] = []
            let mirroring = Mirroring(folder: folder, retryCount: 1, bars: ProgressBars(isShown: false))
            _ = try await mirroring.run([item]) { lines.append($0) }
            let line = try #require(lines.first).replacingOccurrences(of: item.path, with: "a")
            let file = try? Data(contentsOf: folder.file(item))
            result.withLock { $0 = (line, file, server.requests.count) }
        }
        return result.withLock { $0 }
    }

    private static func part(_ range: ClosedRange<Int>, of total: String, tag: String? = nil) -> DemoAnswer {
        let fields = [
            ("content-range", "bytes \(range.lowerBound)-\(range.upperBound)/\(total)"),
            ("etag", tag ?? Self.photo.entityTag),
        ]
        return DemoAnswer(status: 206, fields: fields, body: Array(Self.photo.bytes[range]))
    }

    private static func unsatisfied(_ range: String) -> DemoAnswer {
        DemoAnswer(status: 416, fields: [("content-range", range)])
    }

    private static let whole = DemoAnswer(fields: [("etag", Self.photo.entityTag)], body: Self.photo.bytes)

    @Test func `a part that is shorter than was asked for is not the file`() async throws {
        let result = try await Self.mirror(keeping: 1000) { start in
            start.map { Self.part($0...min($0 + 3999, 9999), of: "10000") } ?? Self.whole
        }
        #expect(result.line == "fetched    a, 10000 bytes, of which 1000 were there")
        #expect(result.file == Data(Self.photo.bytes))
        #expect(result.asked == 3)
    }

    @Test func `where the length is unknown the server says when it was all`() async throws {
        let result = try await Self.mirror(keeping: 1000) { start in
            guard let start else { return Self.whole }
            return start < 10_000
                ? Self.part(start...min(start + 4999, 9999), of: "*") : Self.unsatisfied("bytes */10000")
        }
        #expect(result.line == "fetched    a, 10000 bytes, of which 1000 were there")
        #expect(result.file == Data(Self.photo.bytes))
        #expect(result.asked == 3)
    }

    @Test func `a part that is whole already is not fetched again`() async throws {
        let result = try await Self.mirror(keeping: 10_000) { start in
            start == nil ? Self.whole : Self.unsatisfied("bytes */10000")
        }
        #expect(result.line == "fetched    a, 10000 bytes, of which 10000 were there")
        #expect(result.file == Data(Self.photo.bytes))
        #expect(result.asked == 1)
    }

    @Test(arguments: [
        ("bytes */9999", 10_000), ("bytes */*", 10_000), ("bytes */10000", 5000), ("10000", 10_000),
    ])
    func `a part that is too long, or has no end, is fetched anew`(_ range: String, _ kept: Int) async throws {
        let result = try await Self.mirror(keeping: kept) { $0 == nil ? Self.whole : Self.unsatisfied(range) }
        #expect(result.line == "fetched    a, 10000 bytes")
        #expect(result.file == Data(Self.photo.bytes))
    }

    @Test(arguments: [
        part(0...999, of: "10000"), part(2000...9999, of: "10000"), part(1000...9999, of: "10000", tag: "\"other\""),
        DemoAnswer(
            status: 206,
            fields: [("content-range", "bytes 1000-9999/10000")],
            body: Array(photo.bytes[1000..<5000])
        ), DemoAnswer(status: 206, body: photo.bytes),
    ])
    func `a part that is not what was asked for is not used`(_ part: DemoAnswer) async throws {
        let result = try await Self.mirror(keeping: 1000) { $0 == nil ? Self.whole : part }
        #expect(result.line == "fetched    a, 10000 bytes")
        #expect(result.file == Data(Self.photo.bytes))
    }

    @Test(arguments: [part(0...999, of: "10000"), part(0...9999, of: "10000")])
    func `a part is refused where nobody asked for one`(_ part: DemoAnswer) async throws {
        let result = try await Self.mirror(keeping: 0) { _ in part }
        #expect(result.line == "FAILED     a: the server does not send the requested parts")
        #expect(result.file == nil)
    }

    @Test(
        arguments: [
            (503, "7", Duration.seconds(7)), (503, "61", nil), (503, "Sun, 06 Nov 1994 08:49:40 GMT", .seconds(3)),
            (503, "Sat, 05 Nov 1994 08:49:37 GMT", .zero), (503, "soon", .zero), (429, nil, .zero), (404, "7", nil),
        ] as [(Int, String?, Duration?)]
    )
    func `servers say when they want to be asked again`(_ code: Int, _ field: String?, _ expected: Duration?) {
        var response = HTTPResponse(status: .init(code: code))
        response.headerFields[.retryAfter] = field
        let failure = ValidationFailure(.status(code))
        let error = ClientError.validationFailed(failure, ClientError.Context(phase: .validate, response: response))
        let now = Date(timeIntervalSince1970: 784_111_777)
        let retrying = Retrying(maximumCount: 2, backoff: Backoff(initialDelay: .zero))
        #expect(retrying.delay(before: 2, after: error, now: now) == expected)
        #expect(retrying.delay(before: 3, after: error, now: now) == nil)
    }
}
