// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Makes many calls to a server that sometimes misbehaves, and checks that no call leaks memory, descriptors or files.
///
/// Usage: `Soak [requests]`, `Soak silent-names SECONDS` or `Soak full-table PORT…`, see `Benchmarks/scripts/soak`. The server is a separate process of the same program, so that its
/// descriptors and memory are not counted.
@main
enum Soak {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.dropFirst().first == "serve" { return try await SoakServer.run() }
        if arguments.dropFirst().first == "full-table" {
            let ports = arguments.dropFirst(2).compactMap { Int($0) }
            Self.end(with: try await FullTable(ports: ports).perform())
        }
        let silent = arguments.dropFirst().first == "silent-names" ? arguments.last.flatMap { Int($0) } : nil
        let requestCount = arguments.dropFirst().first.flatMap { Int($0) } ?? 200_000

        let server = try PeerProcess(try Self.ownPath(), ["serve"])
        try await server.ready { server.output.hasSuffix("\n") }
        guard let port = Int(server.output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw PeerProcess.Failure(description: "the server printed: \(server.output)")
        }
        let problems =
            if let silent {
                try await SilentNames(port: port, duration: .seconds(silent)).perform()
            } else {
                try await SoakRun(port: port, requestCount: requestCount).perform()
            }
        server.stop()
        Self.end(with: problems)
    }

    private static func end(with problems: [String]) -> Never {
        for problem in problems { print("error: \(problem)") }
        exit(problems.isEmpty ? 0 : 1)
    }

    private static func ownPath() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}
