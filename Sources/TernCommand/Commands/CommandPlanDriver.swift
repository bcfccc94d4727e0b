// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

/// Makes the calls of a plan, one after the other or several at once, as ``CommandPlanStateMachine`` decides.
struct CommandPlanDriver: Sendable {
    private let plan: CommandPlan
    private let sessions: [CallSession]

    /// Makes the calls, and ends the process with the exit code of the outcome unless that is success.
    static func run(hidingErrors hidesErrors: Bool, _ makePlan: () throws(CommandFailure) -> CommandPlan) async throws {
        let driver: CommandPlanDriver
        do throws(CommandFailure) {
            driver = try await CommandPlanDriver(try makePlan())
        } catch {
            if !hidesErrors || error.outcome == .usage { System.tell(TerminalText.note(error.message)) }
            throw ExitCode(error.outcome.exitCode)
        }
        let outcome = try await driver.run()
        if outcome != .ok { throw ExitCode(outcome.exitCode) }
    }

    /// Asks once for the secrets that all calls of an operation need, and reads the cookies that they share.
    private init(_ plan: CommandPlan) async throws(CommandFailure) {
        if plan.unusedFileCount > 0, plan.commands.allSatisfy({ !$0.hidesWarnings && !$0.json }) {
            System.tell(TerminalText.note("there are more files for --output, -O or --upload-file than URLs"))
        }
        guard plan.callCount > 1 else {
            self.plan = plan
            self.sessions = []
            return
        }
        var commands: [GetCommand] = []
        var sessions: [CallSession] = []
        for command in plan.commands {
            commands.append(try await command.answered(Terminal()))
            sessions.append(CallSession(cookieStore: try await command.connection.cookies.store(warns: !command.json)))
        }
        // Each call adds its heads to these files.
        for file in plan.headFiles { System.close(try file.output.open(file.path, .replace)) }
        self.plan = plan.with(commands)
        self.sessions = sessions
    }

    private func run() async throws -> Outcome {
        guard self.plan.concurrentCount > 1, self.plan.callCount > 1 else { return try await self.runInTurn() }
        let (result, signal) = await Interruption.run { try await self.runTogether() }
        let outcome = try result.get()
        return outcome == .interrupted ? Outcome(signal: signal) ?? outcome : outcome
    }

    private func runInTurn() async throws -> Outcome {
        var machine = CommandPlanStateMachine(self.plan)
        while let call = machine.next() {
            _ = machine.ended(try await self.make(call, isParallel: false))
            if System.hasNoReader(System.standardOutput) { machine.outputClosed() }
        }
        return machine.outcome
    }

    private func runTogether() async throws -> Outcome {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            var machine = CommandPlanStateMachine(self.plan)
            while true {
                while let call = machine.next() {
                    group.addTask { try await self.make(call, isParallel: true) }
                }
                guard let outcome = try await group.next() else { return machine.outcome }
                if machine.ended(outcome) == .cancelOthers { group.cancelAll() }
                if System.hasNoReader(System.standardOutput) { machine.outputClosed() }
            }
        }
    }

    private func make(_ call: CommandPlan.Call, isParallel: Bool) async throws -> Outcome {
        let place = CallPlace(
            urlNumber: call.urlNumber,
            isOneOfSeveral: !self.sessions.isEmpty,
            isParallel: isParallel,
            session: self.sessions.isEmpty ? nil : self.sessions[call.operation]
        )
        return try await call.command.conduct(call.command.url, at: place) { try await call.command.perform($0) }
    }
}
