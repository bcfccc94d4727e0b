// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernConnections
import TernFoundation
import TernTransport
import Testing

@testable import TernCommand

@Suite("The report of a command")
struct CallReportTests {
    private static func head(_ status: Int, _ reason: String = "X") -> Response.Head {
        Response.Head(HTTPResponse.Status(code: status, reasonPhrase: reason), [:])
    }

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

    @Test func `JSON holds where the time went`() {
        var report = CallReport()
        let start = Date(timeIntervalSince1970: 0)
        report.metrics = MetricsFacts(TaskMetrics(startDate: start, duration: .milliseconds(2)))
        let metrics = #"{"duration":2,"redirectCount":0,"startDate":"1970-01-01T00:00:00Z","transactions":[]}"#
        #expect(report.json == "{\"exitCode\":0,\"metrics\":\(metrics),\"outcome\":\"ok\"}")
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

    @Test func `JSON holds the redirects and what was agreed on for TLS`() throws {
        let head = Self.head(200)
        let (first, last) = (try #require(URL(string: "https://a/1")), try #require(URL(string: "https://a/2")))
        let pin = try KeyPin(sha256: Array(repeating: 0, count: 32))
        let trust = ServerTrust(host: "a", chain: [], leafPin: pin)
        let tls = TLSFacts(version: .tls13, cipherSuite: TLSCipherSuite(rawValue: 0x1301), trust: trust)
        let response = Response(url: last, head: head, tls: tls).after([.init(url: first, statusCode: 302)])
        #expect(
            CallReport(response, bytes: 1).json
                == #"{"bytes":1,"exitCode":0,"finalURL":"https://a/2","outcome":"ok","#
                + #""redirects":[{"status":302,"url":"https://a/1"}],"status":200,"#
                + #""tls":{"cipherSuite":"TLS_AES_128_GCM_SHA256","pin":"\#(pin)","version":"TLS 1.3"}}"#
        )
    }

    @Test(arguments: [(401, "--user"), (407, "--proxy")])
    func `a challenge that nobody answered is told with what to do`(status: Int, advice: String) throws {
        let url = try #require(URL(string: "https://a/"))
        let response = Response(url: url, head: Self.head(status))
        var report = CallReport(response, bytes: 0)
        report.fail(response, if: 400..., "nothing was stored")
        #expect(report.message?.contains(advice) == true)
    }

    @Test func `a reason that would command the terminal is made sanitized`() throws {
        let url = try #require(URL(string: "https://a/"))
        let response = Response(url: url, head: Self.head(404, "No\u{9B}2J\u{202E}pe"))
        var report = CallReport(response, bytes: 0)
        report.fail(response, if: 400..., "nothing was stored")
        #expect(report.message?.contains("404 No\u{FFFD}2J\u{FFFD}pe; nothing was stored") == true)
    }

    @Test func `a pin that does not match is told with the one that would`() throws {
        let pin = try KeyPin(sha256: Array(repeating: 7, count: 32))
        var report = CallReport(ClientError.tlsFailed(.pinMismatch, ClientError.Context(phase: .tls)))
        report.advise(on: ServerTrust(host: "a", chain: [], leafPin: pin))
        #expect(report.message?.contains("--pin \(pin)") == true)
    }

    @Test(arguments: [
        ("application/json", true), ("text/html, application/json", true), ("application/json, text/html", false),
    ])
    func `the last media type decides whether the body of a refused response is shown`(type: String, isShown: Bool) {
        var report = CallReport()
        let failure = ValidationFailure(.contentType(type), body: Data("{}".utf8), isBodyComplete: true)
        report.refuse(failure, HTTPResponse(status: .ok, headerFields: [.contentType: type]))
        #expect(report.body == (isShown ? "{}" : nil))
    }

    @Test(arguments: [
        (TLSFailure.selfSigned, true), (.unknownRoot(issuer: "CN=a"), true), (.certificateExpired(), false),
        (.wrongHost(), false),
    ])
    func `other roots are suggested only if they can help`(failure: TLSFailure, canHelp: Bool) {
        var report = CallReport(ClientError.tlsFailed(failure, ClientError.Context(phase: .tls)))
        report.advise(on: nil)
        #expect(report.message?.contains("--tls-info") == true)
        #expect(report.message?.contains("--cacert") == canHelp)
    }

    @Test func `JSON holds no query`() throws {
        let first = try #require(URL(string: "https://a/1?s3cret"))
        let last = try #require(URL(string: "https://a/2?s3cret"))
        let response = Response(url: last, head: Self.head(200)).after([.init(url: first, statusCode: 302)])
        let json = CallReport(response, bytes: 1).json
        #expect(json.contains(#""finalURL":"https://a/2?REDACTED""#) && json.contains(#""url":"https://a/1?REDACTED""#))
        #expect(!json.contains("s3cret"))
    }

    @Test func `JSON commands no terminal, and says the same`() throws {
        let text = "a\u{1B}[2J\u{9B}b\u{202E}c\u{7F}\u{2028}\u{E0041}d👩\u{200D}👧 \\u202e \"é\""
        let json = JSONLine.encode([text])
        #expect(TerminalText.sanitized(json) == json)
        #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [text])
    }

    @Test func `other errors give their description`() {
        let report = CallReport(DemoFailure("it works"))
        #expect(report.outcome == .other)
        #expect(report.message == "the demo expected that it works")
    }
}
