// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import TernCommand

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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

    @Test func `to a file, each line is written when the call returns`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "lines")
        let descriptor = try System.openFile(atPath: path, .replace)
        defer { System.close(descriptor) }
        let output = OutputWriter(descriptor: descriptor)
        for count in 1...3 {
            try await output.write(line: "line")
            #expect(System.byteCount(ofFile: path) == Int64(5 * count))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 { group.addTask { for _ in 0..<200 { try await output.write(line: "\(number)") } } }
            try await group.waitForAll()
        }
        try await output.finish()
        let lines = try folder.text(of: "lines").split(separator: "\n")
        #expect(lines.count == 3 + 8 * 200)
        for number in 0..<8 { #expect(lines.count { $0 == "\(number)" } == 200) }
    }

    @Test func `a full disk is an error`() async throws {
        let full = try System.openFile(atPath: "/dev/full", .append)
        defer { System.close(full) }
        let output = OutputWriter(descriptor: full)
        await #expect(throws: OutputFailure.system(errno: ENOSPC)) { try await output.write(line: "one") }
    }
}
