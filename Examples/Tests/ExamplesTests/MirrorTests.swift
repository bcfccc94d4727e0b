// SPDX-License-Identifier: Apache-2.0
import DemoServer
import DemoTerminal
import Foundation
import Testing

@testable import Mirror

struct MirrorTests {
    @Test(.timeLimit(.minutes(1))) func `the demo tells its story`() async throws {
        let story = Story()
        try await DemoCommand.play { story.add($0) }
        let lines = story.lines
        #expect(lines.filter { $0.hasPrefix("  fetched") }.count == 7)
        #expect(lines.filter { $0.hasSuffix("photos/3.jpg, 1500000 bytes, of which 750000 were there") }.count == 1)
        #expect(lines.filter { $0.hasPrefix("  unchanged") }.count == 11)
        #expect(
            lines.filter { $0.hasPrefix("  the server sent") } == [
                "  the server sent 10.5 MB", "  the server sent 0 B", "  the server sent 700.0 kB",
            ]
        )
    }

    private static func withFolder(_ body: (MirrorFolder) async throws -> Void) async throws {
        let folder = MirrorFolder(
            root: FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        )
        defer { try? FileManager.default.removeItem(at: folder.root) }
        try await body(folder)
    }

    @Test(.timeLimit(.minutes(1))) func `a part of a file that has changed meanwhile is not continued`() async throws {
        let server = FileServer(["/a": DemoPhoto(byteCount: 100_000, seed: 1)], fragile: "/a")
        try await Self.withFolder { folder in
            try await DemoServer.run(answering: { server.answer($0) }) { place in
                let items = try MirrorItem.list("\(place.address)/a")
                let once = Mirroring(folder: folder, retryCount: 0, bars: ProgressBars(isShown: false))
                #expect(try await once.run(items) { _ in } == 1)
                #expect(MirrorFolder.byteCount(folder.part(items[0])) == 50_000)
                #expect(MirrorFolder.byteCount(folder.file(items[0])) == nil)
                let news = DemoPhoto(byteCount: 90_000, seed: 2)
                server.replace("/a", by: news)
                #expect(try await once.run(items) { _ in } == 0)
                #expect(try Data(contentsOf: folder.file(items[0])) == Data(news.bytes))
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `what is not there is a failure of that file alone`() async throws {
        let server = FileServer(["/a": DemoPhoto(byteCount: 1000)])
        try await Self.withFolder { folder in
            try await DemoServer.run(answering: { server.answer($0) }) { place in
                let items = try MirrorItem.list("\(place.address)/a\n\(place.address)/b\n")
                let mirroring = Mirroring(folder: folder, bars: ProgressBars(isShown: false))
                var lines: [String] = []
                #expect(try await mirroring.run(items) { lines.append($0) } == 1)
                #expect(lines.contains { $0.hasPrefix("fetched") } && lines.contains { $0.hasPrefix("FAILED") })
                #expect(server.sentByteCount == 1000)
            }
        }
    }

    @Test func `a list is read line by line`() throws {
        let list =
            "# photos\nhttp://Host.example:8080/a/b%2Fc?q=1/2\n\n https://host.example/ \nhttps://host.example/\n"
        #expect(try MirrorItem.list(list).map(\.path) == ["host.example_8080/a/b%2Fc?q=1%2F2", "host.example/index"])
    }

    @Test(arguments: [
        ("http://host/index\nhttp://host/", 2), ("http://host/c\nhttp://host/c/b", 2),
        ("http://host/c/b\nhttp://host/c", 2),
        ("http://host/c\n\nhttp://host/c/b/a/", 3), ("http://host/a/b/c\nhttp://host/a/b", 2),
    ])
    func `two URLs do not go to one file, nor one into the other`(_ list: String, _ number: Int) {
        let error = #expect(throws: MirrorItem.UnusableLine.self) { try MirrorItem.list(list) }
        #expect(error?.number == number)
    }

    @Test func `neighbours are no collision`() throws {
        let list = "http://host/c/b\nhttp://host/c/d\nhttp://host/cc\nhttp://host/c/b\nhttp://host/c/\n"
        #expect(try MirrorItem.list(list).map(\.path) == ["host/c/b", "host/c/d", "host/cc", "host/c/index"])
    }

    @Test(arguments: [
        "ftp://host/a", "host/a", "http:///a", "http://host/../a", "http://host/a/../../b",
        "http://..%2F..%2Fhosted/a", "http://../a", "http://./a", "http://.mirror.json/a", "http://.parts/a",
        "http://a%00b/a",
    ])
    func `what leads elsewhere is refused`(_ line: String) {
        #expect(throws: MirrorItem.UnusableLine.self) { try MirrorItem.list("http://host/a\n\(line)") }
    }

    @Test(arguments: [
        ("bytes 0-9/10", true), ("bytes 5-9/*", true), ("bytes 9-5/10", false), ("bytes */10", false),
        ("bytes 0-9/9", false),
        ("bytes 0-9223372036854775807/*", true), ("bytes 0-9223372036854775808/*", false),
        ("0-9/10", false),
        ("bytes 0-9", false), ("bytes -1-9/10", false),
    ])
    func `ranges are read strictly`(_ text: String, _ isRange: Bool) {
        #expect((ContentRange(text) != nil) == isRange)
    }
}
