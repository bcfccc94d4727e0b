// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import NIOCore
import TernCLibrary
import TernCacheStores
import TernCaching
import TernTransport

/// Kills processes while they write into a cache, and checks that no stored response is damaged.
///
/// Two processes write at the same time, and are killed together, many times. While they write, and after each kill,
/// every response in the cache must have the whole body that belongs to its URL.
///
/// Usage: `CacheCrash [count]`, see `Benchmarks/scripts/crash-cache`. The writers are separate processes of the same program.
@main
enum CacheCrash {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "write" { return try await Self.write(arguments[2]) }
        let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 100
        let folder = FileManager.default.temporaryDirectory.appending(path: "tern-test-crash-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var tally = CrashTally()
        for round in 0..<count {
            let writers = try (0..<2).map { _ in try Self.startWriter(folder.path) }
            let some = (0..<4).map { _ in Int.random(in: 0..<CrashEntry.count) }
            try await tally.read(CrashEntry.store(folder.path), some)
            try await Self.end(writers)
            try await tally.read(CrashEntry.store(folder.path), Array(0..<CrashEntry.count))
            // Every tenth round begins without the folder, so that a kill can also interrupt the creation of folders.
            if round.isMultiple(of: 10) { try? FileManager.default.removeItem(at: folder) }
        }
        print("killed \(count) times: \(tally.read) read, \(tally.missed) missed, \(tally.torn) torn")
        if tally.read == 0 { print("error: nothing was read, so nothing was tested") }
        exit(tally.torn == 0 && tally.read > 0 ? 0 : 1)
    }

    /// Writes responses until the process is killed.
    private static func write(_ folder: String) async throws {
        let store = CrashEntry.store(folder)
        while true {
            let entry = CrashEntry(number: Int.random(in: 0..<CrashEntry.count))
            try await entry.write(to: store, generation: Int.random(in: 0..<1000))
        }
    }

    private static func startWriter(_ folder: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(
            filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        )
        process.arguments = ["write", folder]
        try process.run()
        return process
    }

    /// Kills the writers, each after a random delay of up to 120 ms.
    private static func end(_ writers: [Process]) async throws {
        for writer in writers {
            try await Task.sleep(for: .milliseconds(Int.random(in: 20...120)))
            kill(writer.processIdentifier, SIGKILL)
            writer.waitUntilExit()
        }
    }
}

/// Counts the responses that were read while the writers ran, and after they were killed.
struct CrashTally {
    var read = 0
    var missed = 0
    var torn = 0

    mutating func read(_ store: DiskCacheStore, _ numbers: [Int]) async throws {
        for number in numbers {
            let entry = CrashEntry(number: number)
            switch try await entry.check(in: store) {
            case nil: self.missed += 1
            case true?: self.read += 1
            case false?:
                self.torn += 1
                print("error: entry \(number) has a wrong body")
            }
        }
    }
}

/// A response whose body can be computed from its URL and from the generation in its head.
struct CrashEntry {
    static let count = 40

    let number: Int

    private var key: CacheKey { CacheKey(URL(filePath: "/crash/\(self.number)")) }

    static func store(_ folder: String) -> DiskCacheStore {
        // The cache is small, so that a kill can also interrupt the removal of old responses.
        DiskCacheStore(directory: URL(filePath: folder), maximumByteCount: 4 << 20, maximumBodyByteCount: 1 << 20)
    }

    /// Returns a body of up to about 300 KiB, whose bytes differ from place to place.
    private func body(_ generation: Int) -> [UInt8] {
        var state = UInt64(self.number * 1000 + generation) &* 0x9E37_79B9_7F4A_7C15
        let length = (self.number * 7919 + generation * 104_729) % 300_000
        return (0..<length).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    func write(to store: DiskCacheStore, generation: Int) async throws {
        let writer = try await store.makeWriter(for: self.key)
        let body = self.body(generation)
        for start in stride(from: 0, to: body.count, by: 50_000) {
            try await writer.append(ByteBuffer(bytes: body[start..<min(start + 50_000, body.count)]))
        }
        let fields: HTTPFields = [.eTag: "\"\(generation)\"", .cacheControl: "max-age=3600"]
        let response = StoredResponse(statusCode: 200, fields: fields, requestTime: 0, responseTime: 0)
        try await writer.commit(response)
    }

    /// - Returns: Whether the body is right; `nil` if the store has no response.
    func check(in store: DiskCacheStore) async throws -> Bool? {
        guard let entry = try await store.entries(for: self.key).first,
            let body = try await store.body(of: entry, for: self.key)
        else { return nil }
        guard let generation = Int((entry.response.entityTag ?? "").filter(\.isNumber)) else { return false }
        var bytes: [UInt8] = []
        var reader = body.makeReader()
        while let piece = try await reader.next() { bytes += piece.readableBytesView }
        return bytes == self.body(generation)
    }
}
