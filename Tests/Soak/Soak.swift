// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Makes many calls to a server that sometimes misbehaves, and checks that no call leaks memory, descriptors or files.
///
/// Usage: `Soak [requests]`, see `scripts/soak`. The server is a separate process of the same program, so that its
/// descriptors and memory are not counted.
@main
enum Soak {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.dropFirst().first == "serve" { return try await SoakServer.run() }
        let requestCount = arguments.dropFirst().first.flatMap { Int($0) } ?? 200_000

        let server = try PeerProcess(try Self.ownPath(), ["serve"])
        try await server.ready { server.output.hasSuffix("\n") }
        guard let port = Int(server.output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw PeerProcess.Failure(description: "the server printed: \(server.output)")
        }
        let problems = try await SoakRun(port: port, requestCount: requestCount).perform()
        server.stop()
        for problem in problems { print("error: \(problem)") }
        exit(problems.isEmpty ? 0 : 1)
    }

    private static func ownPath() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}
