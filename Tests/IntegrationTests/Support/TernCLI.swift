// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import TestSupport

/// Runs `tern-cli` to its end, as a program of its own.
struct TernCLI: Sendable {
    /// The exit code and the output of a run.
    struct Result: Sendable {
        var exitCode: Int32
        var output: String
        var errors: String
    }

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        self.folder = try TemporaryFolder()
        // The program is in the same folder as the program of these tests.
        let tests = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        self.path = tests.deletingLastPathComponent().appending(path: "tern-cli").path
    }

    /// Runs the program with arguments, and with a text as its standard input.
    ///
    /// The output goes into files, because a full pipe would stop the program.
    func run(_ arguments: String..., input: String = "") async throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: self.path)
        process.arguments = arguments
        process.currentDirectoryURL = self.folder.url
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
        let name = UUID().uuidString
        let streams = (
            input: try FileHandle(forReadingFrom: self.create("\(name).in", input)),
            output: try FileHandle(forWritingTo: self.create("\(name).out")),
            errors: try FileHandle(forWritingTo: self.create("\(name).err"))
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
        return Result(
            exitCode: process.terminationStatus,
            output: try self.folder.text(of: "\(name).out"),
            errors: try self.folder.text(of: "\(name).err")
        )
    }

    private func create(_ name: String, _ text: String = "") throws -> URL {
        URL(filePath: try self.folder.write(text, to: name))
    }
}
#endif
