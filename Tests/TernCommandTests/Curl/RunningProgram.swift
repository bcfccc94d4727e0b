// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import TestSupport

/// A program that is run to its end, in a process of its own.
enum RunningProgram {
    /// The end of a program.
    struct Result: Sendable {
        var exitCode: Int32
        var output: String
        var errors: String
    }

    /// The program that these tests are about, beside the program that runs them.
    static var ternCLI: String {
        get throws {
            let tests = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            return tests.deletingLastPathComponent().appending(path: "tern-cli").path
        }
    }

    /// curl, where it is installed.
    static let curl: String? = ["/usr/bin/curl", "/usr/local/bin/curl"].first { path in
        FileManager.default.isExecutableFile(atPath: path)
    }

    /// Runs a program; what it writes goes through files, since a pipe that is full would stop it.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: Its arguments.
    ///   - input: The standard input. Defaults to nothing.
    ///   - folder: Where it runs, and where the files are.
    /// - Returns: The end of the program and its output.
    /// - Throws: An error if the program cannot run.
    static func run(
        _ path: String,
        _ arguments: [String],
        input: String = "",
        in folder: TemporaryFolder
    ) async throws -> Result {
        let name = UUID().uuidString
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
        try folder.write(input, to: "\(name).in")
        for end in ["out", "err"] { try folder.write("", to: "\(name).\(end)") }
        let streams = (
            input: try FileHandle(forReadingFrom: folder.file("\(name).in")),
            output: try FileHandle(forWritingTo: folder.file("\(name).out")),
            errors: try FileHandle(forWritingTo: folder.file("\(name).err"))
        )
        (process.standardInput, process.standardOutput) = (streams.input, streams.output)
        process.standardError = streams.errors
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        // A process keeps them until it is released itself, which Foundation on Linux may never do.
        for stream in [streams.input, streams.output, streams.errors] { try stream.close() }
        let result = Result(
            exitCode: process.terminationStatus,
            output: try folder.text(of: "\(name).out"),
            errors: try folder.text(of: "\(name).err")
        )
        for end in ["in", "out", "err"] { try folder.remove("\(name).\(end)") }
        return result
    }

    /// Runs `tern-cli`.
    static func ternCLI(_ arguments: String..., input: String = "", in folder: TemporaryFolder) async throws -> Result {
        try await Self.run(Self.ternCLI, arguments, input: input, in: folder)
    }
}
#endif
