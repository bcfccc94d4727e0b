// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// Runs the cases of an Autobahn fuzzing server and prints how each ended, one on a line: `scripts/autobahn`.
@main
struct Autobahn {
    static func main() async {
        guard let url = CommandLine.arguments.dropFirst().first else {
            print("usage: Autobahn ws://HOST:PORT")
            exit(2)
        }
        do {
            try await self.play(FuzzingServer(url))
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func play(_ server: FuzzingServer) async throws {
        let count = try await server.caseCount()
        for number in 1...max(1, count) where count > 0 {
            var verdict = try await server.play(number)
            // The server's patience counts in seconds of the clock, so on a busy machine a case may fail for nothing.
            if !verdict.isAcceptable { verdict = try await server.play(number) }
            // At once, so that a waiting test sees it.
            FileHandle.standardOutput.write(Data("\(verdict)\n".utf8))
        }
        try await server.updateReports()
    }
}
