// SPDX-License-Identifier: Apache-2.0
public import Foundation
import TernCLibrary

/// A program that tests communicate with, in a separate folder.
///
/// A shell watches the program, and reads from a pipe that only this process keeps open. When this process ends, even by a trap,
/// the shell stops the program and deletes the folder.
public final class PeerProcess: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        /// The reason, and the program's output.
        public let description: String

        public init(description: String) { self.description = description }
    }

    /// The folder in which the program runs and may write files.
    public let folder: URL

    private static let watch = """
        trap '' INT TERM
        folder=$1
        shift
        cd "$folder" || exit
        (trap - INT TERM; exec "$@") </dev/null >output.log 2>&1 &
        read -r _
        kill $! && wait $!
        rm -rf "$folder"
        """

    private let process = Process()
    private let lifeline: Lifeline

    /// Starts a program, after `prepare` has written files into its folder.
    public init(_ program: String, _ arguments: [String], prepare: (URL) throws -> Void = { _ in }) throws {
        self.folder = try Self.makeFolder()
        self.lifeline = try Lifeline()
        do {
            let path = try Self.path(of: program)
            try prepare(self.folder)
            self.process.executableURL = URL(filePath: "/bin/sh")
            self.process.arguments = ["-c", Self.watch, "watch", self.folder.path, path] + arguments
            self.process.standardInput = self.lifeline.reading
            // The shell must not inherit the tests' output, because a reader of that output would wait until the shell
            // ends.
            (self.process.standardOutput, self.process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try Self.withoutBlockedSignals { try self.process.run() }
            try self.lifeline.reading.close()
        } catch {
            try? FileManager.default.removeItem(at: self.folder)
            throw error
        }
    }

    public var output: String {
        (try? String(contentsOf: self.folder.appending(path: "output.log"), encoding: .utf8)) ?? ""
    }

    /// Waits until the program is ready; throws ``Failure`` with the program's output after five minutes.
    public func ready(_ condition: () throws -> Bool) async throws {
        do {
            try await eventually("the program is ready") { try condition() }
        } catch {
            throw Failure(description: "\(error); it printed: \(self.output)")
        }
    }

    /// Starts to end the program and to delete its folder, and returns at once.
    public func stop() { try? self.lifeline.writing.close() }

    /// Waits until the program has ended, after ``stop()``.
    public func ended() async throws {
        try await eventually("the program has ended") { !self.process.isRunning }
    }

    /// Runs a program to its end; throws ``Failure`` if the exit code is not 0.
    public static func run(_ program: String, _ arguments: [String], in folder: URL) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: try Self.path(of: program))
        process.arguments = arguments
        process.currentDirectoryURL = folder
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program) failed: \(String(decoding: text, as: UTF8.self))")
        }
    }

    /// Starts a process that inherits no blocked signals: Swift's threads block most, and the program would ignore SIGTERM.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var (none, previous) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        try body()
    }

    /// A short path, because the path of a socket in the folder must be short.
    private static func makeFolder() throws -> URL {
        let name = "peer-\(String(UInt32.random(in: .min ... .max), radix: 36))"
        let folder = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    /// Searches the folders for administrators' programs, too, as on Debian.
    private static func path(of program: String) throws -> String {
        let variable = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = variable.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin", "/usr/local/sbin"]
        let candidates = program.contains("/") ? [program] : folders.map { "\($0)/\(program)" }
        if let path = candidates.first(where: FileManager.default.isExecutableFile) { return path }
        throw Failure(description: "\(program) is missing; run scripts/setup")
    }
}

/// A pipe whose writing end no other process inherits, so the system closes this end when this process ends.
private struct Lifeline: Sendable {
    let reading: FileHandle
    let writing: FileHandle

    init() throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw PeerProcess.Failure(description: "no pipe: system error \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        self.reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        self.writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }
}
