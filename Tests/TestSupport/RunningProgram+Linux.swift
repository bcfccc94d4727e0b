// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation

/// Runs programs to their end, in separate processes.
public enum RunningProgram: Sendable {
    public struct Result: Sendable {
        public var exitCode: Int32
        public var output: String
        public var errors: String
    }

    /// The path of `tern-cli`, which is in the same folder as the program of these tests.
    public static var ternCLI: String {
        get throws {
            let tests = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            return tests.deletingLastPathComponent().appending(path: "tern-cli").path
        }
    }

    /// The path of curl; `nil` if curl is not installed.
    public static let curl: String? = ["/usr/bin/curl", "/usr/local/bin/curl"].first { path in
        FileManager.default.isExecutableFile(atPath: path)
    }

    /// Runs a program, whose output goes into files of the folder, because a full pipe would stop it.
    public static func run(
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
        // A `Process` keeps its files open until it is deallocated, and Foundation on Linux may never deallocate it.
        for stream in [streams.input, streams.output, streams.errors] { try stream.close() }
        let result = Result(
            exitCode: process.terminationStatus,
            output: try folder.text(of: "\(name).out"),
            errors: try folder.text(of: "\(name).err")
        )
        for end in ["in", "out", "err"] { try folder.remove("\(name).\(end)") }
        return result
    }

    public static func ternCLI(
        _ arguments: String...,
        input: String = "",
        in folder: TemporaryFolder
    ) async throws -> Result {
        try await Self.run(Self.ternCLI, arguments, input: input, in: folder)
    }
}
#endif
