// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernPublishers

/// Fetches the large photo in one of two ways, in a separate process, and prints by how much the memory grew.
struct MemoryMeasurement {
    enum Way: String, CaseIterable {
        case data
        case download
    }

    private let way: Way
    private let address: String

    /// Reads the arguments that ``MemoryTable`` passes to this program; returns `nil` for other arguments.
    init?(_ arguments: [String]) {
        guard arguments.count == 4, arguments[1] == "--measure", let way = Way(rawValue: arguments[2]) else {
            return nil
        }
        self.way = way
        self.address = arguments[3]
    }

    func run() async throws {
        let client = Client()
        // The first call creates the objects that all calls share. Make this call before the measurement, so that they
        // do not count.
        _ = try await self.fetch(Gallery.smallPhoto, with: client)
        let before = ProcessMemory.resident
        ProcessMemory.forgetPeak()
        let byteCount = try await self.fetch(Gallery.largePhoto, with: client)
        guard byteCount == Gallery.largeByteCount else { throw ImageDownloader.Failure("the photo is not complete") }
        print(max(0, ProcessMemory.peak - before))
    }

    private func fetch(_ path: String, with client: Client) async throws -> Int {
        let request = Request(.get, self.address + path)
        switch self.way {
        case .data:
            return try await Self.first(client.dataPublisher(for: request)).data.count
        case .download:
            let file = try await Self.first(client.downloadPublisher(for: request)).url
            defer { try? FileManager.default.removeItem(at: file) }
            return try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        }
    }

    private static func first<Value>(_ publisher: CallPublisher<Value>) async throws -> Value {
        for try await value in publisher.asyncStream() { return value }
        throw ImageDownloader.Failure("the publisher ended without a value")
    }
}

/// Prints the memory that a data publisher and a download publisher need, beside figures for URLSession that an article gives.
enum MemoryTable {
    static let maximumGrowth = 2_000_000

    static func print(address: String) async throws {
        Swift.print("\nMemory for a photo of 13.1 MB, each way in a separate process:\n")
        Swift.print("| publisher | memory grew by | URLSession's task, in the article |")
        Swift.print("| --- | ---: | ---: |")
        var growths: [MemoryMeasurement.Way: Int] = [:]
        for way in MemoryMeasurement.Way.allCases {
            let growth = try await Self.measure(way, address)
            growths[way] = growth
            let text = String(format: "%.1f MB", Double(growth) / 1e6)
            Swift.print("| `\(way.rawValue)Publisher` | \(text) | \(way == .data ? "30 MB" : "4 MB") |")
        }
        guard let growth = growths[.download], growth < Self.maximumGrowth else {
            throw ImageDownloader.Failure("the download needed 2 MB or more")
        }
    }

    /// Runs this program again in a new process, for which a separate thread waits, because a task must not block its thread.
    private static func measure(_ way: MemoryMeasurement.Way, _ address: String) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try Self.measureBlocking(way, address) })
            }
        }
    }

    private static func measureBlocking(_ way: MemoryMeasurement.Way, _ address: String) throws -> Int {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["--measure", way.rawValue, address]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let growth = Int(text.split(separator: "\n").last ?? "") else {
            throw ImageDownloader.Failure("the measurement of \(way.rawValue) did not give a number")
        }
        return growth
    }
}
