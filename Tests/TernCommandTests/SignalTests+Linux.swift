// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import TernCommand

/// Tests the program in a separate process, which gets the signals of shells, terminals and service managers.
@Suite("A program that is told to end", .serialized, .hangLimit)
struct SignalTests {
    private static func names(in folder: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    /// Starts the program with a download that does not end, in an empty folder.
    private static func start(_ folder: URL, _ server: DemoServer) throws -> Process {
        let tests = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let process = Process()
        process.executableURL = tests.deletingLastPathComponent().appending(path: "tern-cli")
        process.arguments = [
            "download", "--quiet", "--no-proxy", "-o", folder.appending(path: "photo").path,
            server.address.appending(path: "slow/photo").absoluteString,
        ]
        // If the tests run without a terminal, this process ignores SIGHUP, and the started program would inherit that.
        let before = signal(SIGHUP, SIG_DFL)
        defer { _ = signal(SIGHUP, before) }
        try process.run()
        return process
    }

    private static func withFolder(_ body: @Sendable (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tern-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
    func `a download that is ended by a signal leaves no file, and says by which`(_ number: CInt) async throws {
        try await Self.withFolder { folder in
            try await DemoServer.run { server in
                let process = try Self.start(folder, server)
                try await eventually("a file") { !Self.names(in: folder).isEmpty }
                kill(process.processIdentifier, number)
                try await eventually("the program ends") { !process.isRunning }
                #expect(process.terminationReason == .exit && process.terminationStatus == 128 + number)
                #expect(Self.names(in: folder).isEmpty)
            }
        }
    }

    @Test func `what a download left that was killed is deleted by the next one`() async throws {
        try await Self.withFolder { folder in
            try await DemoServer.run { server in
                for _ in 0..<2 {
                    let process = try Self.start(folder, server)
                    try await eventually("a file") { !Self.names(in: folder).isEmpty }
                    kill(process.processIdentifier, SIGKILL)
                    try await eventually("the program ends") { !process.isRunning }
                }
                #expect(!Self.names(in: folder).isEmpty)
                let image = server.address.appending(path: "photos/1/image").absoluteString
                let arguments = ["--quiet", "--no-proxy", "-o", folder.appending(path: "photo").path, image]
                let command = try DownloadCommand.parse(arguments)
                let report = try await command.perform(CommandDelegate(command.connection, ScriptedQuestioner()))
                #expect(report.outcome == .ok)
                #expect(Self.names(in: folder) == ["photo"])
            }
        }
    }
}
#endif
