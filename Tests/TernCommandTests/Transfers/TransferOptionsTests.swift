// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HTTPTypes
import Tern
import TernTransferQueue
import TestSupport
import Testing

@testable import TernCommand

@Suite("What is typed for a queue of transfers")
struct TransferOptionsTests {
    /// Parses a command line as the program does.
    private static func parse<Command: ParsableCommand>(_ type: Command.Type, _ typed: String...) throws -> Command {
        let words = try CommandArguments(["transfers"] + typed).words
        return try #require(try TernCLI.parseAsRoot(words) as? Command)
    }

    @Test func `curl's letters and the options of all subcommands are known`() throws {
        let run = try Self.parse(
            TransfersRunCommand.self,
            "run",
            "-u",
            "anna:woof",
            "--directory=q",
            "--concurrent",
            "8",
            "--concurrent-per-host",
            "1",
            "--retry",
            "3",
            "--retry-delay",
            "0.5",
            "-qk",
            "--forever"
        )
        #expect(run.connection.signIn.user == "anna:woof" && run.connection.tls.insecure)
        #expect(run.place.directory == "q" && run.reporting.quiet && run.forever)
        #expect(run.limits.maximumRunningCount == 8 && run.limits.maximumRunningCountPerHost == 1)
        #expect(run.limits.maximumAttemptCount == 4)
        let remove = try Self.parse(TransfersRemoveCommand.self, "remove", "3", "17", "--json")
        #expect(remove.selection.ids.map(\.id.number) == [3, 17] && remove.reporting.json)
        #expect(try Self.parse(TransfersListCommand.self, "list", "--report", "json").reporting.json)
        #expect(try Self.parse(TransfersPauseCommand.self, "pause", "--all").selection.all)
        #expect(try Self.parse(TransfersResumeCommand.self, "resume", "5").selection.ids.count == 1)
    }

    @Test(arguments: [
        ["pause"], ["pause", "3", "--all"], ["resume"], ["remove"], ["remove", "--all", "--completed"],
        ["remove", "x"],
        ["remove", "0"], ["run", "--concurrent", "0"], ["run", "--retry", "-1"], ["add"], ["list", "--directory", ""],
        ["add", "localhost/a", "--method", "POST"], ["add", "localhost/a", "--upload", "f", "--force"],
        ["add", "localhost/a", "localhost/b", "-o", "f"], ["add", "localhost/a", "localhost/b", "--upload", "f"],
        ["add", "localhost/a", "--priority", "urgent"], ["add", "localhost/a", "-H", "X-Dog:"],
    ])
    func `a command line that is wrong is refused`(typed: [String]) throws {
        let words = try CommandArguments(["transfers"] + typed).words
        #expect(throws: (any Error).self) { try TernCLI.parseAsRoot(words) }
    }

    @Test(arguments: [
        ["-u", "anna:s3cret"], ["--bearer", "s3cret"], ["--oauth2-bearer", "s3cret"], ["-b", "id=s3cret"], ["--netrc"],
    ])
    func `a secret is not stored, and a message says where it belongs`(typed: [String]) throws {
        let words = try CommandArguments(["transfers", "add", "https://example.com/a"] + typed).words
        let error = #expect(throws: (any Error).self) { try TernCLI.parseAsRoot(words) }
        let message = try TernCLI.fullMessage(for: #require(error))
        #expect(message.contains("give it to 'tern-cli transfers run'"))
        #expect(!message.contains("s3cret"))
    }

    @Test func `the standard directory is in the user's state`() {
        let path = TransferDirectoryOptions.standardPath
        #expect(path([:], "/home/anna") == "/home/anna/.local/state/tern/transfers")
        #expect(path(["XDG_STATE_HOME": "/state"], "/home/anna") == "/state/tern/transfers")
        #expect(path(["XDG_STATE_HOME": "state"], "/home/anna") == "/home/anna/.local/state/tern/transfers")
    }

    @Test func `a command in a message does not repeat what the shell would change`() throws {
        let place = try TransferDirectoryOptions.parse(["--directory", "a b"])
        #expect(place.command("list") == "'tern-cli transfers list --directory …'")
        #expect(place.path.hasPrefix("/") && place.path.hasSuffix("/a b"))
    }

    // MARK: Descriptions

    @Test func `a download has the name in its URL, or another`() throws {
        let folder = try TemporaryFolder()
        let output = folder.file("dog.jpg").path
        let command = try Self.parse(
            TransfersAddCommand.self,
            "add",
            "https://example.com/photos/1?size=2",
            "-o",
            output,
            "-H",
            "X-Dog: Biscuit",
            "--priority",
            "high",
            "--label",
            "Biscuit"
        )
        let description = try #require(try command.descriptions().first)
        #expect(description.url.absoluteString == "https://example.com/photos/1?size=2")
        #expect(description.file.path == output && description.file.isFileURL)
        #expect(description.kind == .download(expecting: nil) && description.priority == .high)
        #expect(description.label == "Biscuit")
        #expect(description.fields.map(\.value) == ["Biscuit"])
        let several = try Self.parse(TransfersAddCommand.self, "add", "https://a.example/1.x", "https://a.example/2.x")
        #expect(try several.descriptions().map(\.file.lastPathComponent) == ["1.x", "2.x"])
    }

    @Test func `an existing file needs force, and the folder must exist`() throws {
        let folder = try TemporaryFolder()
        try folder.write("woof", to: "dog.jpg")
        let path = folder.file("dog.jpg").path
        let add = { (words: [String]) in
            try #require(try TernCLI.parseAsRoot(["transfers", "add"] + words) as? TransfersAddCommand).descriptions()
        }
        #expect(throws: CommandFailure.self) { try add(["https://example.com/a", "--output", path]) }
        #expect(try add(["https://example.com/a", "--output", path, "--force"]).count == 1)
        #expect(throws: CommandFailure.self) { try add(["https://example.com/a", "--output", folder.url.path]) }
        #expect(throws: CommandFailure.self) { try add(["https://example.com/a", "--output", path + "/a"]) }
        #expect(throws: CommandFailure.self) { try add(["https://example.com/"]) }
        #expect(throws: CommandFailure.self) { try add(["https://example.com/a", "--upload", path + "2"]) }
        #expect(throws: CommandFailure.self) { try add(["https://example.com/a", "--upload", "-"]) }
    }

    @Test func `an upload has the protocol and the method that were typed`() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b"] { try folder.write("woof", to: name) }
        let (one, other) = (folder.file("a").path, folder.file("b").path)
        let put = try Self.parse(
            TransfersAddCommand.self,
            "add",
            "http://localhost/f",
            "--upload",
            one,
            "--upload",
            other
        )
        let descriptions = try put.descriptions()
        #expect(descriptions.map(\.file.path) == [one, other])
        #expect(descriptions.allSatisfy { $0.method == .put && $0.kind == .upload(.init()) })
        let tus = try Self.parse(
            TransfersAddCommand.self,
            "add",
            "http://localhost/f",
            "--upload",
            one,
            "--protocol",
            "tus",
            "--part-size",
            "32M",
            "--repeatable"
        )
        let description = try #require(try tus.descriptions().first)
        guard case .upload(let options) = description.kind else {
            Issue.record("not an upload")
            return
        }
        #expect(description.method == .post && options.uploadProtocol == .tus)
        #expect(options.maximumPartByteCount == 32 << 20 && options.isRepeatable == true)
        #expect(options.tus.metadata.map(\.key) == ["filename"])
    }

    // MARK: Secrets of a run

    private static func requests(_ typed: String...) throws -> TransferRequests {
        let words = try CommandArguments(["transfers", "run"] + typed).words
        let command = try #require(try TernCLI.parseAsRoot(words) as? TransfersRunCommand)
        return try TransferRequests(command.connection, .init())
    }

    @Test func `a typed field replaces that of the transfer`() throws {
        let stored = Request(.get, "http://localhost/a").header("X-Dog", "Biscuit").header("X-Cat", "Muffin")
        let request = try Self.requests("-H", "X-Dog: Bonnie", "--bearer", "t").request(for: stored)
        #expect(request.fields.map(\.value).sorted() == ["Bonnie", "Muffin"])
    }

    @Test(arguments: [["--bearer", "t"], ["-u", "a:b"], ["-b", "a=b"], ["-H", "Authorization: t"]])
    func `a secret goes to one server only`(typed: [String]) throws {
        let words = try CommandArguments(["transfers", "run"] + typed).words
        let command = try #require(try TernCLI.parseAsRoot(words) as? TransfersRunCommand)
        let requests = try TransferRequests(command.connection, .init())
        let urls = ["https://a.example/1", "https://A.example/2?b", "https://b.example/3"].compactMap {
            URL(string: $0)
        }
        #expect(throws: Never.self) { try requests.checkServers(of: Array(urls.prefix(2))) }
        let failure = #expect(throws: CommandFailure.self) { try requests.checkServers(of: urls) }
        #expect(failure?.message.contains("https://a.example, https://b.example") == true)
        #expect(throws: Never.self) { try Self.requests("--netrc-file", "/dev/null").checkServers(of: urls) }
    }
}
