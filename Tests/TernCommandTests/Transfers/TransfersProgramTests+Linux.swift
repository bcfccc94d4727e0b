// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import TernCommand

/// Tests the program in separate processes, with a server on loopback.
@Suite("A queue of transfers on the command line", .hangLimit)
struct TransfersProgramTests {
    /// A folder with a queue, and a server.
    private struct Scene {
        let folder: TemporaryFolder
        let server: RecordingServer

        init(answers: [RecordingServer.Answer] = [.init()]) throws {
            self.folder = try TemporaryFolder()
            self.server = try RecordingServer { _, index in answers[min(index, answers.count - 1)] }
        }

        /// Runs a subcommand of `transfers`; `{url}` stands for the server.
        func run(_ words: String...) async throws -> RunningProgram.Result {
            let typed = words.map { $0.replacing("{url}", with: "http://127.0.0.1:\(self.server.port)") }
            let command = ["transfers", typed[0], "--directory", "queue"] + typed.dropFirst()
            return try await RunningProgram.run(RunningProgram.ternCLI, command, in: self.folder)
        }

        /// Returns the states of all transfers, by number.
        func states() async throws -> [String] {
            try await self.run("list").output.split(separator: "\n").map { line in
                line.split(separator: " ").prefix(2).joined(separator: " ")
            }
        }
    }

    @Test func `transfers are added, listed, run and removed`() async throws {
        let scene = try Scene()
        let added = try await scene.run("add", "{url}/a.txt?size=1", "{url}/b.txt", "--priority", "high")
        #expect(added.exitCode == 0 && added.output == "1\n2\n", "\(added.errors)")
        #expect(scene.server.exchanges.isEmpty)
        #expect(try await scene.states() == ["1 waiting", "2 waiting"])
        #expect(try await scene.run("list").output.contains("/a.txt?REDACTED"))

        let run = try await scene.run("run")
        #expect(run.exitCode == 0 && run.output.isEmpty, "\(run.errors)")
        #expect(run.errors.contains("tern-cli: transfer 1 (a.txt) is complete: 6 B\n"))
        #expect(run.errors.hasSuffix("tern-cli: 2 completed\n"))
        #expect(try scene.folder.text(of: "a.txt") == "hello\n" && scene.folder.text(of: "b.txt") == "hello\n")
        #expect(try await scene.states() == ["1 completed", "2 completed"])
        #expect(scene.server.exchanges.map(\.target).sorted() == ["/a.txt?size=1", "/b.txt"])

        #expect(try await scene.run("run", "--quiet").errors.isEmpty)
        #expect(scene.server.exchanges.count == 2)
        #expect(try await scene.run("remove", "--completed").exitCode == 0)
        #expect(try await scene.states().isEmpty)
        #expect(try scene.folder.text(of: "a.txt") == "hello\n")
        #expect(try await scene.run("add", "{url}/c.txt").output == "3\n")
    }

    @Test func `a failure gives an exit code and advice, and can be resumed`() async throws {
        let scene = try Scene(answers: [.init(status: "404 Not Found"), .init()])
        _ = try await scene.run("add", "{url}/a.txt")
        let run = try await scene.run("run")
        #expect(run.exitCode == 22)
        #expect(run.errors.contains("transfer 1 has failed; 'tern-cli transfers list --directory queue' says why"))
        #expect(try await scene.states() == ["1 failed:refused"])
        #expect(try await scene.run("list").errors.contains("'tern-cli transfers resume 1 --directory queue'"))
        #expect(try await scene.run("run", "--quiet").exitCode == 22)
        #expect(scene.server.exchanges.count == 1)

        #expect(try await scene.run("resume", "1").exitCode == 0)
        #expect(try await scene.run("run").exitCode == 0)
        #expect(try scene.folder.text(of: "a.txt") == "hello\n")
    }

    @Test func `a paused transfer waits, and so does a paused queue`() async throws {
        let scene = try Scene()
        _ = try await scene.run("add", "{url}/a.txt", "{url}/b.txt")
        #expect(try await scene.run("pause", "1").exitCode == 0)
        let one = try await scene.run("run")
        #expect(one.exitCode == 0 && one.errors.contains("'tern-cli transfers resume 1 --directory queue'"))
        #expect(scene.server.exchanges.map(\.target) == ["/b.txt"])
        #expect(try await scene.states() == ["1 paused", "2 completed"])
        #expect(try await scene.run("pause", "2").errors.contains("transfer 2 cannot be paused"))

        #expect(try await scene.run("pause", "--all").exitCode == 0)
        #expect(try await scene.run("list").errors.contains("all transfers are paused"))
        #expect(try await scene.run("resume", "1").errors.contains("all transfers are paused"))
        #expect(try await scene.run("run").errors.contains("all transfers are paused"))
        #expect(scene.server.exchanges.count == 1)
        #expect(try await scene.run("resume", "--all").exitCode == 0)
        #expect(try await scene.run("run").exitCode == 0)
        #expect(scene.server.exchanges.map(\.target) == ["/b.txt", "/a.txt"])
    }

    @Test func `machines get lines of JSON`() async throws {
        let scene = try Scene()
        let added = try await scene.run("add", "{url}/a.txt", "--json", "--label", "Biscuit")
        #expect(added.output.contains(#""id":1,"label":"Biscuit""#))
        let run = try await scene.run("run", "--json")
        let lines = run.output.split(separator: "\n")
        #expect(run.errors.isEmpty && lines.count == 3)
        #expect(lines.first?.contains(#""event":"started""#) == true)
        #expect(lines.dropFirst().first?.contains(#""event":"completed""#) == true)
        #expect(lines.last?.hasPrefix(#"{"exitCode":0,"outcome":"ok","transfers":{"completed":1,"#) == true)
        #expect(try await scene.run("list", "--report", "json").output.contains(#""state":"completed""#))
        let failure = try await scene.run("remove", "17", "--json")
        #expect(failure.exitCode == 64 && failure.errors.isEmpty)
        #expect(failure.output.contains(#""outcome":"usage""#))
    }

    @Test func `a file is uploaded once`() async throws {
        let scene = try Scene()
        try scene.folder.write("woof", to: "dog.txt")
        _ = try await scene.run("add", "{url}/dogs/1", "--upload", "dog.txt")
        #expect(try await scene.run("run").exitCode == 0)
        #expect(try await scene.run("run").exitCode == 0)
        #expect(scene.server.exchanges.map(\.method) == ["PUT"])
        #expect(scene.server.exchanges.first?.body == "woof")
    }

    @Test func `a secret is neither stored nor shown`() async throws {
        let scene = try Scene()
        let field = try await scene.run("add", "{url}/a.txt", "-H", "Authorization: s3cret")
        #expect(field.exitCode == 64 && field.errors.contains("'tern-cli transfers run --directory queue'"))
        let user = try await scene.run("add", "http://anna:s3cret@127.0.0.1/a.txt")
        #expect(user.exitCode == 64 && user.errors.contains("--netrc"))
        #expect(!(field.errors + field.output + user.errors + user.output).contains("s3cret"))
        #expect(try await scene.states().isEmpty)

        _ = try await scene.run("add", "{url}/a.txt")
        #expect(try await scene.run("run", "--bearer", "s3cret").exitCode == 0)
        #expect(scene.server.exchanges.first?.fields["authorization"] == "Bearer s3cret")
    }

    @Test func `a damaged file is named, and can be removed`() async throws {
        let scene = try Scene()
        _ = try await scene.run("add", "{url}/a.txt", "{url}/b.txt")
        try scene.folder.write("woof", to: "queue/1.tern-transfer")
        let warning = "1.tern-transfer is damaged; 'tern-cli transfers remove 1 --directory queue' deletes it"
        #expect(try await scene.run("list").errors.contains(warning))
        let run = try await scene.run("run")
        #expect(run.exitCode == 0 && run.errors.contains(warning))
        #expect(try await scene.run("remove", "1").exitCode == 0)
        #expect(try await scene.run("list").errors.isEmpty)
        #expect(try await scene.states() == ["2 completed"])
    }

    @Test func `an unknown transfer, and a directory that cannot be used, are errors`() async throws {
        let scene = try Scene()
        let unknown = try await scene.run("pause", "5")
        #expect(unknown.exitCode == 64 && unknown.errors.contains("there is no transfer 5"))
        try scene.folder.write("", to: "file")
        let file = try await RunningProgram.run(
            RunningProgram.ternCLI,
            ["transfers", "run", "--directory", "file"],
            in: scene.folder
        )
        #expect(file.exitCode == 23 && file.errors.contains("file cannot be used"), "\(file.errors)")
        #expect(try await scene.run("list", "--quiet").exitCode == 0)
    }

    @Test func `a queue in use says so, is listed, ends at a signal, and continues`() async throws {
        try await DemoServer.run { server in
            let folder = try TemporaryFolder()
            let slow = server.address.appending(path: "slow/photo").absoluteString
            let command = { (words: [String]) in
                try await RunningProgram.run(RunningProgram.ternCLI, ["transfers"] + words, in: folder)
            }
            #expect(try await command(["add", "--directory", "queue", slow]).exitCode == 0)
            let process = Process()
            process.executableURL = URL(filePath: try RunningProgram.ternCLI)
            process.arguments = ["transfers", "run", "--directory", "queue", "--no-proxy", "--quiet"]
            process.currentDirectoryURL = folder.url
            try process.run()
            try await eventually("a request") { server.journal.holds(.requested("/slow/photo")) }

            let add = try await command(["add", "--directory", "queue", slow, "-o", "other"])
            #expect(add.exitCode == 23 && add.errors.contains("another process, such as 'tern-cli transfers run'"))
            #expect(try await command(["list", "--directory", "queue"]).output.hasPrefix("1  waiting"))

            kill(process.processIdentifier, SIGINT)
            try await eventually("the program ends") { !process.isRunning }
            #expect(process.terminationReason == .exit && process.terminationStatus == 130)
            #expect(try await command(["remove", "--directory", "queue", "1"]).exitCode == 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(names == ["queue"])
        }
    }
}
#endif
