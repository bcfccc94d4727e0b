// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import TernCommand

@Suite("Two processes with one destination", .hangLimit)
struct SharedDestinationTests {
    @Test func `the second fails without a request, and the first keeps its bytes`() async throws {
        try await DemoServer.run { server in
            let folder = try TemporaryFolder()
            let slow = server.address.appending(path: "slow/photo").absoluteString
            let command = ["download", "--continue", "--no-proxy", "--quiet", "-o", "file", slow]
            let first = Process()
            first.executableURL = URL(filePath: try RunningProgram.ternCLI)
            first.arguments = command
            first.currentDirectoryURL = folder.url
            try first.run()
            try await eventually("a request") { server.journal.holds(.requested("/slow/photo")) }
            let before = try folder.names

            let second = try await RunningProgram.run(RunningProgram.ternCLI, command, in: folder)
            #expect(second.exitCode == 23, "\(second.errors)")
            #expect(first.isRunning)
            #expect(try folder.names.contains("file.tern-partial") && before.contains("file.tern-partial"))

            kill(first.processIdentifier, SIGINT)
            try await eventually("the program ends") { !first.isRunning }
            // The lock has ended with the process.
            let third = Process()
            third.executableURL = URL(filePath: try RunningProgram.ternCLI)
            third.arguments = command
            third.currentDirectoryURL = folder.url
            try third.run()
            try await eventually("the program uses the file") { try folder.names.contains("file.tern-partial") }
            kill(third.processIdentifier, SIGINT)
            try await eventually("the program ends") { !third.isRunning }
            #expect(third.terminationStatus == 130)
        }
    }
}
#endif
