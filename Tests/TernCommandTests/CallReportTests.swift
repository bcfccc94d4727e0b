// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import Testing

@testable import TernCommand

@Suite("The report of a command")
struct CallReportTests {
    @Test func `JSON holds what is known, and nothing else`() {
        var report = CallReport()
        #expect(report.json == #"{"exitCode":0,"outcome":"ok"}"#)
        report.status = 200
        report.url = "http://localhost/a"
        report.bytes = 6
        report.seconds = 0.25
        report.location = "/tmp/a"
        #expect(
            report.json
                == #"{"bytes":6,"exitCode":0,"location":"/tmp/a","outcome":"ok","seconds":0.25,"status":200,"#
                + #""url":"http://localhost/a"}"#
        )
    }

    @Test func `an error of the client gives its outcome, its message and the status that came before it`() {
        let context = ClientError.Context(phase: .body, response: HTTPResponse(status: .accepted))
        let report = CallReport(ClientError.truncated(received: 1, expected: 2, context))
        #expect(report.outcome == .truncated)
        #expect(report.status == 202)
        #expect(report.message?.isEmpty == false)
    }

    @Test func `an output that nobody reads is no failure, one that is full is`() {
        #expect(CallReport(OutputFailure.closed).outcome == .ok)
        #expect(CallReport(OutputFailure.cancelled).outcome == .interrupted)
        #expect(CallReport(OutputFailure.system(errno: 28)).outcome == .fileFailed)
    }

    @Test func `other errors give their description`() {
        let report = CallReport(DemoFailure("it works"))
        #expect(report.outcome == .other)
        #expect(report.message == "the demo expected that it works")
    }
}
