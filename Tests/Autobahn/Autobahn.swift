// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// Runs the cases of an Autobahn fuzzing server, and prints one line with the result of each case.
///
/// `scripts/autobahn` runs this program.
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
            // The server's timeouts are a few seconds, so a case may fail only because the machine is busy. Such a case
            // runs a second time.
            if !verdict.isAcceptable { verdict = try await server.play(number) }
            // Writes the line at once, without a buffer, because a test waits for it.
            FileHandle.standardOutput.write(Data("\(verdict)\n".utf8))
        }
        try await server.updateReports()
    }
}
