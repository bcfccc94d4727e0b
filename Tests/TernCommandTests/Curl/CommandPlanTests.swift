// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import TernCommand

@Suite("The calls of a command line")
struct CommandPlanTests {
    private static func plan(_ typed: [String]) throws -> CommandPlan {
        let arguments = try CommandArguments(typed)
        let operations = try arguments.operations.indices.map { index in
            let command = try GetCommand.parse(Array(arguments.words(of: index).dropFirst()))
            return (command: command, transfers: arguments.operations[index].transfers)
        }
        return try CommandPlan(operations, hasReadStandardInput: arguments.hasReadStandardInput)
    }

    private static func shown(_ call: CommandPlan.Call) -> String {
        let command = call.command
        let output = command.output.remoteName ? "(name)" : command.output.output ?? "-"
        let upload = command.uploadFile.map { "<\($0)" } ?? ""
        return "\(call.operation).\(call.urlNumber) \(command.call.url)>\(output)\(upload)"
    }

    static let plans: [(typed: [String], calls: [String])] = [
        (["a.b"], ["0.0 a.b>-"]), (["a.b", "c.d"], ["0.0 a.b>-", "0.1 c.d>-"]),
        (["-o", "f", "a.b", "c.d", "-O"], ["0.0 a.b>f", "0.1 c.d>(name)"]),
        (["-O", "a.b", "c.d"], ["0.0 a.b>(name)", "0.1 c.d>-"]),
        (["a.b", "-T", "f", "c.d"], ["0.0 a.b>-<f", "0.1 c.d>-"]),
        (
            ["a/[1-2]", "-o", "x#1", "b/{p,q}", "-o", "y#1#2"],
            ["0.0 a/1>x1", "0.0 a/2>x2", "0.1 b/p>yp#2", "0.1 b/q>yq#2"]
        ),
        (["-g", "a/[1-2]", "--next", "b/[1-2]"], ["0.0 a/[1-2]>-", "1.1 b/1>-", "1.1 b/2>-"]),
        (["a.b", "--next", "-O", "c.d", "e.f"], ["0.0 a.b>-", "1.1 c.d>(name)", "1.2 e.f>-"]),
        (["-o", "f", "-o", "g", "a.b"], ["0.0 a.b>f"]),
    ]

    @Test(arguments: plans)
    func `a plan has a call for each URL, in order`(typed: [String], calls: [String]) throws {
        let plan = try Self.plan(typed)
        #expect(plan.map(Self.shown) == calls)
        #expect(plan.callCount == calls.count)
    }

    @Test func `options after --next are for the URLs behind it`() throws {
        let calls = Array(try Self.plan(["-d", "x", "-f", "-s", "a.b", "--next", "-H", "A: b", "c.d"]))
        #expect(calls.map(\.command.content.items.count) == [1, 0])
        #expect(calls.map(\.command.body.failing.fail) == [true, false])
        #expect(calls.map(\.command.connection.header) == [[], ["A: b"]])
        #expect(calls.allSatisfy { $0.command.hidesErrors })
    }

    @Test func `the number of calls at a time is 1, 50 or the typed one`() throws {
        #expect(try Self.plan(["a.b", "c.d"]).concurrentCount == 1)
        #expect(try Self.plan(["--parallel-max", "3", "a.b", "c.d"]).concurrentCount == 1)
        #expect(try Self.plan(["-Z", "a.b", "c.d"]).concurrentCount == 50)
        #expect(try Self.plan(["a.b", "--next", "-Z", "--parallel-max", "300", "c.d"]).concurrentCount == 300)
        #expect(try Self.plan(["-Z", "a.b", "--no-parallel"]).concurrentCount == 1)
        for count in ["0", "-1", "301", "x"] {
            #expect(throws: (any Error).self) { try Self.plan(["-Z", "--parallel-max", count, "a.b"]) }
        }
    }

    @Test func `each file of heads is emptied once`() throws {
        let plan = try Self.plan(["-D", "f", "a.b", "-:", "-D", "-", "b.c", "-:", "-D", "g", "d.e", "-:", "-Df", "f.g"])
        #expect(plan.headFiles.map(\.path) == ["f", "g"])
    }

    @Test func `a plan of many calls takes no memory for them`() throws {
        let plan = try Self.plan(["a/[1-100000]", "b/[1-100000]", "c/[1-100000]"])
        #expect(plan.callCount == 300_000)
        #expect(plan.first { _ in true }.map(Self.shown) == "0.0 a/1>-")
    }

    static let refused: [(typed: [String], outcome: Outcome, message: String)] = [
        (["-d", "@-", "a.b", "c.d"], .usage, "standard input can be read for one URL only"),
        (["-T", "-", "a.b", "-T", "-", "c.d"], .usage, "standard input"),
        (["-T", "-", "a/[1-2]"], .usage, "standard input"),
        (["-H@-", "a.b", "-:", "-b-", "c.d"], .usage, "standard input"),
        (["a.b", "c/[2-1]"], .invalidRequest, "--globoff"), (["a.b", "ws://c.d"], .usage, "websocket"),
        (["-J", "-o", "f", "a.b"], .usage, "--remote-header-name needs --remote-name"),
        (["-C", "-", "a.b"], .usage, "--continue-at with '-' needs a file"),
        (["--output-dir", "d", "a.b", "--no-remote-name"], .usage, "--output-dir"),
        (["-O", "a.b", "-:", "--create-dirs", "c.d"], .usage, "--create-dirs"),
        (["-d", "x", "a.b", "c.d", "-T", "f"], .usage, "--upload-file cannot be used with --data"),
        (["-I", "a.b", "c.d", "-T", "f", "-T", "g"], .usage, "--head sends no body"),
        (["-Z", "--ask", "a.b", "c.d"], .usage, "--ask"),
    ]

    @Test(arguments: refused)
    func `what cannot be done is refused before the first call`(
        typed: [String],
        outcome: Outcome,
        message: String
    ) throws {
        let error = #expect(throws: (any Error).self) { try Self.plan(typed) }
        let text = (error as? CommandFailure)?.message ?? error.map { GetCommand.message(for: $0) } ?? ""
        #expect(text.contains(message), "\(text)")
        if let failure = error as? CommandFailure { #expect(failure.outcome == outcome) }
    }

    @Test func `one option may read standard input, and one of several URLs may have a file`() throws {
        #expect(try Self.plan(["-T", "-", "a.b", "c.d"]).callCount == 2)
        #expect(try Self.plan(["-T", "-", "a.b", "-T", "f", "c.d"]).callCount == 2)
        #expect(try Self.plan(["-J", "-o", "f", "a.b", "-O", "c.d"]).callCount == 2)
        #expect(try Self.plan(["--output-dir", "d", "a.b", "-o", "f"]).callCount == 1)
        #expect(try Self.plan(["-C", "-", "-O", "a.b", "-O", "c.d"]).callCount == 2)
        #expect(try Self.plan(["-o", "f", "-o", "g", "-T", "h", "a.b"]).unusedFileCount == 1)
    }

    // MARK: Order and outcome

    /// Runs a plan whose calls end in a given order, and returns the numbers of the URLs in the order in which they
    /// began.
    private static func run(_ typed: [String], _ ends: [Outcome]) throws -> (begun: [Int], outcome: Outcome) {
        var machine = CommandPlanStateMachine(try Self.plan(typed))
        var begun: [Int] = []
        for end in ends {
            while let call = machine.next() { begun.append(call.urlNumber) }
            if machine.ended(end) == .cancelOthers { break }
        }
        while let call = machine.next() { begun.append(call.urlNumber) }
        return (begun, machine.outcome)
    }

    static let runs: [(typed: [String], ends: [Outcome], begun: [Int], outcome: Outcome)] = [
        (["a.b"], [.ok], [0], .ok), (["a.b"], [.timedOut], [0], .timedOut), (["a.b"], [], [0], .ok),
        (["a.b", "c.d"], [], [0], .ok), (["a.b", "c.d"], [.ok], [0, 1], .ok),
        (["a.b", "c.d"], [.timedOut, .ok], [0, 1], .ok), (["a.b", "c.d"], [.ok, .timedOut], [0, 1], .timedOut),
        (["a.b", "c.d"], [.interrupted], [0], .interrupted), (["a.b", "c.d"], [.terminated], [0], .terminated),
        (["--fail-early", "a.b", "c.d"], [.timedOut], [0], .timedOut),
        (["--fail-early", "a.b", "c.d"], [.ok], [0, 1], .ok),
        (["-Z", "a.b", "c.d", "e.f"], [], [0, 1, 2], .ok),
        (["-Z", "--parallel-max", "2", "a.b", "c.d", "e.f"], [], [0, 1], .ok),
        (["-Z", "--parallel-max", "2", "a.b", "c.d", "e.f"], [.ok], [0, 1, 2], .ok),
        (["-Z", "a.b", "c.d", "e.f"], [.timedOut, .tooLong, .ok], [0, 1, 2], .tooLong),
        (["-Z", "--parallel-max", "2", "--fail-early", "a.b", "c.d", "e.f"], [.timedOut], [0, 1], .timedOut),
        (["-Z", "--parallel-max", "1", "a.b", "c.d"], [.timedOut, .ok], [0, 1], .ok),
    ]

    @Test(arguments: runs)
    func `calls begin in order, and the outcome is curl's`(
        typed: [String],
        ends: [Outcome],
        begun: [Int],
        outcome: Outcome
    ) throws {
        let result = try Self.run(typed, ends)
        #expect(result.begun == begun && result.outcome == outcome)
    }

    @Test func `the ends of cancelled calls do not count`() throws {
        var machine = CommandPlanStateMachine(try Self.plan(["-Z", "--fail-early", "a.b", "c.d", "e.f"]))
        for _ in 0..<3 { _ = machine.next() }
        #expect(machine.ended(.ok) == .goOn && machine.ended(.timedOut) == .cancelOthers)
        #expect(
            machine.ended(.interrupted) == .goOn && machine.next()?.urlNumber == nil && machine.outcome == .timedOut
        )
    }

    @Test func `without a reader of the output no call begins, and the running ones count`() throws {
        var machine = CommandPlanStateMachine(try Self.plan(["-Z", "--parallel-max", "2", "a.b", "c.d", "e.f"]))
        for _ in 0..<2 { _ = machine.next() }
        machine.outputClosed()
        #expect(machine.ended(.ok) == .goOn && machine.next()?.urlNumber == nil)
        #expect(machine.ended(.timedOut) == .goOn && machine.next()?.urlNumber == nil && machine.outcome == .timedOut)
    }
}
