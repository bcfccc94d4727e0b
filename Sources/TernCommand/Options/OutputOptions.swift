// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation

struct OutputOptions: ParsableArguments, Sendable {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the body to this file, replacing it; - is standard output. #1 is the value of the URL's first pattern. "
                + "The first --output or --remote-name is for the first URL, the second one for the second URL.",
            valueName: "file"
        )
    )
    var output: String?

    @Flag(
        name: [.customShort("O"), .long],
        help: "Write the body to a file named after the last part of the URL's path."
    )
    var remoteName = false

    @Flag(
        name: [.customShort("J"), .long],
        help: "With -O: take the file name from Content-Disposition, if present, and never replace an existing file."
    )
    var remoteHeaderName = false

    @Flag(name: [.customShort("R"), .long], help: "With -o or -O: give the file the time of Last-Modified.")
    var remoteTime = false

    @Option(help: ArgumentHelp("With -o or -O: the folder of the file.", valueName: "folder"))
    var outputDir: String?

    @Flag(help: "With -o or -O: create missing folders.")
    var createDirs = false

    @Option(
        name: [.customShort("C"), .long],
        help: ArgumentHelp(
            "Request the body from this byte on, and append it to the file; - continues at the end of the file.",
            valueName: "offset"
        )
    )
    var continueAt: OffsetArgument?

    @Option(
        name: [.customShort("D"), .long],
        help: ArgumentHelp("Write the heads of all responses to this file; - is standard output.", valueName: "file")
    )
    var dumpHeader: String?

    func validate() throws {
        if self.remoteHeaderName, self.continueAt != nil {
            throw ValidationError("--continue-at cannot be used with --remote-header-name; use --output.")
        }
    }

    func check(_ outputs: [TransferArgument.Output?]) throws {
        let hasFile = outputs.contains { $0 != nil && $0 != .standardOutput }
        if self.remoteHeaderName, !outputs.contains(.remoteName) {
            throw ValidationError("--remote-header-name needs --remote-name.")
        }
        if !hasFile, self.continueAt == .end {
            throw ValidationError("--continue-at with '-' needs a file; add --output or --remote-name.")
        }
        if !hasFile, self.outputDir != nil || self.createDirs {
            throw ValidationError("--output-dir and --create-dirs need --output or --remote-name.")
        }
    }

    /// Returns the path that the user asked for, perhaps with the name in the URL; `nil` for standard output.
    func path(for url: String) throws(CommandFailure) -> String? {
        if self.remoteName {
            guard let name = FileName.suggested(by: url) else {
                throw CommandFailure(
                    outcome: .fileFailed,
                    message: "the URL contains no file name; choose one with --output"
                )
            }
            return self.inFolder(name)
        }
        return self.output.flatMap { $0 == "-" ? nil : self.inFolder($0) }
    }

    /// Returns the path, which the response may name with `--remote-header-name`, and whether an existing file is replaced.
    func path(_ path: String, for response: Response) -> (path: String, replaces: Bool) {
        guard self.remoteHeaderName, self.remoteName,
            let name = response[.contentDisposition].flatMap({ FileName.suggested(byDisposition: $0) })
        else { return (path, !self.remoteHeaderName || !self.remoteName) }
        return (self.inFolder(name), false)
    }

    private func inFolder(_ path: String) -> String {
        // As in curl, an empty text names no folder: `/file` would be in the root.
        guard let outputDir, !outputDir.isEmpty, !path.hasPrefix("/") else { return path }
        return outputDir.hasSuffix("/") ? outputDir + path : "\(outputDir)/\(path)"
    }

    /// Returns the offset from which to request the body; `nil` for the whole body.
    func offset(of path: String?) -> Int64? {
        switch self.continueAt {
        case .byte(let offset): offset
        case .end: path.flatMap { System.byteCount(ofFile: $0) } ?? 0
        case nil: nil
        }
    }

    /// Sets the time to that of `Last-Modified`; without a valid field, the file keeps its time, as in curl.
    func setTime(of descriptor: CInt, to response: Response) -> Bool {
        let now = HTTPDate(secondsSince1970: Int64(Date().timeIntervalSince1970))
        guard let time = response[.lastModified].flatMap({ HTTPDate($0, now: now) }) else { return true }
        return System.setModificationTime(of: descriptor, to: time.secondsSince1970)
    }

    /// Returns a descriptor that the caller closes.
    func open(_ path: String, _ mode: System.WritingMode) throws(CommandFailure) -> CInt {
        let file = URL(filePath: path)
        if self.createDirs {
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
        }
        do throws(OutputFailure) {
            return try System.openFile(atPath: path, mode)
        } catch {
            guard case .system(let errno) = error else { throw CommandFailure(outcome: .fileFailed, message: path) }
            throw CommandFailure(
                outcome: .fileFailed,
                message: "\(path) cannot be written: \(System.text(ofError: errno))"
            )
        }
    }
}

enum OffsetArgument: ExpressibleByArgument, Equatable, Sendable {
    case byte(Int64)
    case end

    /// Parses `-`, or a number of 0 or more.
    init?(argument: String) {
        if argument == "-" {
            self = .end
        } else if let offset = Int64(argument), offset >= 0 {
            self = .byte(offset)
        } else {
            return nil
        }
    }
}
