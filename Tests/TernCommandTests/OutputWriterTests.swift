// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernCLibrary
import TestSupport
import Testing

@testable import TernCommand

@Suite("Writing to a pipe")
struct OutputWriterTests {
    private struct Failure: Error {}

    @Test func `a line can be read at once`() async throws {
        let pipe = Pipe()
        let output = OutputWriter(descriptor: pipe.writer)
        try await output.write(line: "one")
        #expect(try System.read(from: pipe.reader, upTo: 64) == Array("one\n".utf8))
        try await output.write(line: "two")
        try await output.finish()
        #expect(try System.read(from: pipe.reader, upTo: 64) == Array("two\n".utf8))
    }

    @Test func `nobody reading is told to the writer, and ends it well`() async throws {
        var ends: [CInt] = [-1, -1]
        #expect(pipe(&ends) == 0)
        System.ignoreBrokenPipes()
        close(ends[0])
        defer { close(ends[1]) }
        let output = OutputWriter(descriptor: ends[1])
        await #expect(throws: OutputFailure.closed) {
            try await output.write(line: "one")
            try await output.finish()
        }
        var turnCount = 0
        try await OutputWriter(descriptor: ends[1]).whileRead {
            turnCount += 1
            throw OutputFailure.closed
        }
        #expect(turnCount == 1)
    }

    @Test(.hangLimit)
    func `a writer goes on as soon as what it wrote was taken, though nobody reads the pipe`() async throws {
        for round in 0..<300 {
            let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 300 << 10)
            let pipe = Pipe()
            let output = OutputWriter(descriptor: pipe.writer)
            try await output.write(piece)
            var taken: [UInt8] = []
            while taken.count < piece.count { taken += try System.read(from: pipe.reader, upTo: 1 << 16) }
            try await output.finish()
            expectEqual(taken, piece)
        }
    }

    @Test(.hangLimit)
    func `a failure is thrown only when the bytes before it are written`() async throws {
        let pipe = Pipe()
        let output = OutputWriter(descriptor: pipe.writer)
        let piece = [UInt8](repeating: 7, count: 250 << 10)
        let takenCount = Atomic(0)
        let reader = Task.detached {
            while takenCount.load(ordering: .relaxed) < piece.count {
                takenCount.add(try System.read(from: pipe.reader, upTo: 1 << 16).count, ordering: .relaxed)
            }
        }
        await #expect(throws: Failure.self) {
            try await output.whileRead {
                try await output.write(piece)
                throw Failure()
            }
        }
        // The rest is in the pipe, and in the hands of the reader: 64 KiB each.
        #expect(takenCount.load(ordering: .relaxed) >= piece.count - (128 << 10))
        try await reader.value
    }

    @Test(.hangLimit)
    func `a writer that waits for a full pipe can be cancelled`() async throws {
        let pipe = Pipe()
        let output = OutputWriter(descriptor: pipe.writer)
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        try await output.write(piece)
        let task = Task { try await output.write(piece) }
        task.cancel()
        await #expect(throws: OutputFailure.cancelled) { try await task.value }
        var rest = 2 << 20  // what was taken is still written, once there is room
        while rest > 0 { rest -= try System.read(from: pipe.reader, upTo: 1 << 16).count }
        #expect(rest == 0)
        try await output.finish()
    }

    @Test func `to a file, a long piece is written when the call returns, and all tasks get their turn`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "lines")
        let descriptor = try System.openFile(atPath: path, .replace)
        defer { System.close(descriptor) }
        let output = OutputWriter(descriptor: descriptor)
        let long = String(repeating: "x", count: 4 << 10)
        for count in 1...3 {
            try await output.write(line: long)
            #expect(System.byteCount(ofFile: path) == Int64(count * (long.utf8.count + 1)))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for number in 0..<200 { try await output.write(line: "\(task) \(number) \(long)") } }
            }
            try await group.waitForAll()
        }
        try await output.finish()
        let lines = try folder.text(of: "lines").split(separator: "\n").dropFirst(3).map { $0.split(separator: " ") }
        #expect(lines.count == 8 * 200)
        for task in 0..<8 {
            #expect(lines.filter { $0.first == "\(task)" }.map { $0[1] } == (0..<200).map { "\($0)" })
        }
        #expect(lines.allSatisfy { $0.last == long[...] })
    }

    @Test func `a file that takes no bytes is an error, for short and for long pieces`() async throws {
        let folder = try TemporaryFolder()
        let readOnly = open(try folder.write("", to: "read-only"), O_RDONLY)
        defer { System.close(readOnly) }
        for byteCount in [1, 100_000] {
            let output = OutputWriter(descriptor: readOnly)
            await #expect(throws: OutputFailure.system(errno: EBADF)) {
                try await output.write([UInt8](repeating: 1, count: byteCount))
                try await output.finish()
            }
        }
    }

    @Test(.hangLimit)
    func `several tasks may wait for a full pipe`() async throws {
        let pipe = Pipe()
        let output = OutputWriter(descriptor: pipe.writer)
        let piece = [UInt8](repeating: 0, count: 300 << 10)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await output.write(piece) } }
            group.addTask {
                var rest = 4 * piece.count
                while rest > 0 { rest -= try System.read(from: pipe.reader, upTo: 1 << 16).count }
            }
            try await group.waitForAll()
        }
        try await output.finish()
    }
}
