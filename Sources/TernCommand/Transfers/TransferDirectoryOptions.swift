// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TernFoundation
import TernTransferQueue

struct TransferDirectoryOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The directory with the state of the queue. It is created if missing. Use it for nothing else. By default "
                + "it is tern/transfers in $XDG_STATE_HOME, or in ~/.local/state.",
            valueName: "folder"
        )
    )
    var directory: String?

    func validate() throws {
        if self.directory?.isEmpty == true { throw ValidationError("--directory needs the path of a folder.") }
    }

    var path: String {
        if let directory { return System.absolutePath(directory) }
        return Self.standardPath(
            environment: ProcessInfo.processInfo.environment,
            home: FileManager.default.homeDirectoryForCurrentUser.path
        )
    }

    /// Returns the default directory (XDG Base Directory Specification); a relative `XDG_STATE_HOME` has no effect.
    static func standardPath(environment: [String: String], home: String) -> String {
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.local/state"
        return "\(state)/tern/transfers"
    }

    /// Creates folders only around the default directory: a missing folder of a typed one is probably a mistake.
    func prepare() -> URL {
        let url = URL(filePath: self.path, directoryHint: .isDirectory)
        if self.directory == nil {
            // If this fails, opening the queue fails, too, and reports the reason.
            try? FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        return url
    }

    /// Returns a command line for this directory, in quotation marks, for messages.
    func command(_ words: String) -> String {
        guard let directory else { return "'tern-cli transfers \(words)'" }
        let isPlain = directory.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-._/+@%,".utf8.contains(byte)
        }
        return "'tern-cli transfers \(words) --directory \(isPlain ? directory : "…")'"
    }

    func warning(about file: DamagedTransferFile) -> String {
        let advice = file.id.map { "; \(self.command("remove \($0)")) deletes it" } ?? ""
        return "warning: \(file)\(advice)"
    }
}

struct TransferReportOptions: ParsableArguments, Sendable {
    @Flag(name: .customLong("json"), help: "Write lines of JSON; the same as --report json.")
    var writesJSON = false

    @Option(
        help: ArgumentHelp("Report as text or as lines of JSON: text or json.", valueName: "form")
    )
    var report = ReportForm.text

    @Flag(name: .shortAndLong, help: "Hide progress and notes, but show errors.")
    var quiet = false

    var json: Bool { self.writesJSON || self.report == .json }
}
