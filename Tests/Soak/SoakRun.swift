// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TernHTTP
import TernNIO
import TestSupport

/// Makes all calls of one run, and checks that they leave no resources behind.
struct SoakRun: Sendable {
    private static let taskCount = 64
    private static let warmUpCount = 5000
    /// The allowed growth of memory in bytes, because an allocator never returns all memory.
    ///
    /// A leak of 200 bytes for each call would exceed this limit.
    private static let toleratedGrowth = 12 << 20

    let port: Int
    let requestCount: Int

    /// - Returns: Messages about problems; empty if there are no problems.
    func perform() async throws -> [String] {
        let folder = try TemporaryFolder()
        try Data(repeating: UInt8(ascii: "x"), count: SoakClient.fileByteCount).write(to: folder.file("file"))
        // The first calls create resources that stay, such as threads and their descriptors, before the run counts
        // anything.
        _ = try await self.run(Self.warmUpCount, file: folder.file("file"), Tally())
        let before = Measurement.now
        let tally = Tally()
        let start = ContinuousClock.now
        var problems = try await self.run(self.requestCount, file: folder.file("file"), tally)
        let elapsed = start.duration(to: .now)
        try? await eventually("all descriptors are closed") {
            Measurement.now.descriptorCount <= before.descriptorCount
        }
        let after = Measurement.now

        print("\(self.requestCount) calls in \(elapsed.components.seconds) seconds")
        print(tally.table)
        print("memory: \(before.megabytes) before, \(tally.marks.joined(separator: ", "))")
        print("descriptors: \(before.descriptorCount) before, \(after.descriptorCount) after")
        print("temporary files: \(before.temporaryFiles.count) before, \(after.temporaryFiles.count) after")

        problems += tally.problems
        if after.descriptorCount > before.descriptorCount { problems.append("descriptors are left open") }
        if !after.temporaryFiles.isSubset(of: before.temporaryFiles) { problems.append("temporary files are left") }
        let growth = tally.growth
        if growth > Self.toleratedGrowth { problems.append("memory grew by \(growth) bytes in the second half") }
        return problems
    }

    /// Makes calls with a new client, and checks which resources are left before and after the client is deallocated.
    private func run(_ count: Int, file: URL, _ tally: Tally) async throws -> [String] {
        let transport = HTTPTransport(
            HTTPTransportConfiguration(pool: PoolConfiguration(maximumConnectionsPerHost: 48)),
            connector: NIOConnector()
        )
        let client = SoakClient(client: Client(transport: transport), port: self.port, file: file)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.taskCount {
                group.addTask {
                    while true {
                        let number = tally.nextNumber()
                        guard number < count else { return }
                        let call = SoakCall(number: number)
                        tally.add(call, await client.outcome(of: call, number: number))
                        if number * 10 == count || number * 2 == count || number == count - 1 {
                            tally.mark("\((number + 1) * 100 / count) %")
                        }
                    }
                }
            }
        }
        var problems: [String] = []
        try? await eventually("no connection is lent") {
            transport.connectionCounts.lent == 0 && CountedDelegate.liveCount == 0
                && OpenSockets.count(toPort: self.port) == transport.connectionCounts.idle
        }
        let counts = transport.connectionCounts
        let socketCount = OpenSockets.count(toPort: self.port)
        tally.note("connections: \(counts.idle) idle, \(counts.lent) lent, \(counts.waiting) awaited")
        tally.note("sockets: \(socketCount)")
        tally.note("calls that are held: \(CountedDelegate.liveCount)")
        if counts.lent != 0 || counts.waiting != 0 { problems.append("connections are lent or awaited") }
        if socketCount != counts.idle { problems.append("\(socketCount) sockets are open, \(counts.idle) are idle") }
        if CountedDelegate.liveCount != 0 { problems.append("\(CountedDelegate.liveCount) calls are held") }
        return problems
    }
}

/// The resources of this process at one moment.
struct Measurement: Sendable {
    let descriptorCount: Int
    let residentByteCount: Int
    let temporaryFiles: Set<String>

    static var now: Measurement {
        let manager = FileManager.default
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        let temporary = (try? manager.contentsOfDirectory(atPath: manager.temporaryDirectory.path)) ?? []
        return Measurement(
            descriptorCount: (try? manager.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0,
            residentByteCount: (pages.flatMap { Int($0[1]) } ?? 0) * Int(sysconf(CInt(_SC_PAGESIZE))),
            temporaryFiles: Set(temporary.filter { $0.wholeMatch(of: /tern-[0-9a-z]+/) != nil })
        )
    }

    var megabytes: String { "\(self.residentByteCount >> 20) MiB" }
}
