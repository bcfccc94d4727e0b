// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernTransferQueue
import Testing

@testable import TernCommand

@Suite("How a run of a queue ends")
struct TransferRunReportTests {
    private static func place(_ words: String...) throws -> TransferDirectoryOptions {
        try TransferDirectoryOptions.parse(words)
    }

    private static func failed(_ id: Int64, _ reason: TransferFailure.Reason) -> TransferRow {
        var row = TransferRow.sample(id, .failed)
        row.reason = reason
        return row
    }

    @Test func `without a failure it is a success, even if transfers are paused`() throws {
        let report = TransferRunReport(rows: [.sample(1, .completed), .sample(2, .paused)])
        #expect(report.outcome == .ok)
        #expect(report.failureMessage(try Self.place()) == nil)
        #expect(
            report.notes(try Self.place()) == [
                "1 paused, 1 completed", "'tern-cli transfers resume 2' lets a paused transfer go on",
            ]
        )
    }

    @Test func `the first failure gives the exit code`() throws {
        let report = TransferRunReport(rows: [
            .sample(1, .completed), Self.failed(4, .digest), Self.failed(9, .refused),
        ])
        #expect(report.outcome == .protocolViolation)
        let message = try #require(report.failureMessage(try Self.place()))
        #expect(message.contains("4, 9") && message.contains("resume 4 9"))
        #expect(
            JSONLine.encode(report) == """
                {"exitCode":8,"outcome":"protocolViolation","transfers":{"completed":1,"delayed":0,"failed":2,\
                "paused":0,"running":0,"waiting":0}}
                """
        )
    }

    @Test func `a message names the directory that was typed, and not too many transfers`() throws {
        let place = try Self.place("--directory", "queue")
        let one = TransferRunReport(rows: [Self.failed(4, .file)]).failureMessage(place)
        #expect(one?.contains("'tern-cli transfers resume 4 --directory queue'") == true)
        let many = TransferRunReport(rows: (1...30).map { Self.failed($0, .file) }).failureMessage(place)
        #expect(many?.contains("30 transfers have failed: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and others;") == true)
    }

    @Test func `a paused queue says how to go on`() throws {
        let report = TransferRunReport(rows: [.sample(1)], isPaused: true)
        #expect(
            report.notes(try Self.place()).last
                == "all transfers are paused; 'tern-cli transfers resume --all' ends that"
        )
    }

    @Test func `each reason has an outcome that is a failure`() {
        for reason in TransferFailure.Reason.allCases { #expect(Outcome(reason) != .ok) }
        #expect(Outcome(TransferFailure.Reason.refused).exitCode == 22)
        #expect(Outcome(TransferFailure.Reason.possiblyProcessed).exitCode == 56)
        #expect(Outcome(TransferFailure.Reason.network).exitCode == 7)
    }

    /// Errors, and the place, the command or the option that the message must name; `nil` for none.
    static let errors: [(error: TransferQueueError, outcome: Outcome, name: String?)] = [
        (.inUse, .fileFailed, "'tern-cli transfers run'"), (.file(.notPermitted), .fileFailed, "d/7"),
        (.file(.diskFull), .fileFailed, "d/7"), (.newerVersion(9), .fileFailed, "d/7"),
        (.unsuitable(.secretField(name: "Authorization")), .usage, "'tern-cli transfers run --directory d/7'"),
        (.unsuitable(.userInformation), .usage, "--netrc"), (.unsuitable(.tooLong), .invalidRequest, nil),
        (.full(limit: 3), .usage, "remove --completed"), (.alreadyRunning, .other, nil),
    ]

    @Test(arguments: errors)
    func `an error says what to do`(error: TransferQueueError, outcome: Outcome, name: String?) throws {
        let failure = CommandFailure(error, try Self.place("--directory", "d/7"))
        #expect(failure.outcome == outcome)
        let isNamed = name.map { failure.message.contains($0) } ?? !failure.message.isEmpty
        #expect(isNamed, "\(failure.message)")
    }

    @Test func `the errors of a queue have different messages`() throws {
        let place = try Self.place()
        #expect(Set(Self.errors.map { CommandFailure($0.error, place).message }).count == Self.errors.count)
    }

    @Test func `an unknown transfer and a destination in use are named`() throws {
        let id = try #require(TransferID(17))
        let unknown = CommandFailure(TransferQueueError.unknownTransfer(id), try Self.place())
        #expect(unknown.outcome == .usage && unknown.message.contains("there is no transfer 17"))
        let used = CommandFailure(TransferQueueError.unsuitable(.destinationInQueue(id)), try Self.place())
        #expect(used.message.contains("'tern-cli transfers remove 17'"))
    }
}
