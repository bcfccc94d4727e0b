// SPDX-License-Identifier: Apache-2.0
import Tern

/// Runs the cases of an Autobahn fuzzing server and prints how each ended, one on a line: `scripts/autobahn`.
@main
struct Autobahn {
    static func main() async throws {
        guard let url = CommandLine.arguments.dropFirst().first else {
            print("usage: Autobahn ws://HOST:PORT")
            return
        }
        let server = FuzzingServer(url)
        let count = try await server.caseCount()
        for number in 1...max(1, count) where count > 0 {
            await server.run(number)
            print(try await server.verdict(of: number))
        }
        try await server.updateReports()
    }
}
