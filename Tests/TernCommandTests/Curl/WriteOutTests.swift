// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TernConnections
import TernTransport
import Testing

@testable import TernCommand

@Suite("What --write-out writes")
struct WriteOutTests {
    private static func facts(_ status: Int? = 200) throws -> WriteOutFacts {
        let url = try #require(URL(string: "https://dogs.example/b/"))
        var response: Response?
        if let status {
            var fields: HTTPFields = [.contentType: "text/plain", .location: "../c?d"]
            fields["X-Dog"] = "Biscuit"
            let head = Response.Head(HTTPResponse.Status(code: status, reasonPhrase: "X"), fields, .http10)
            response = Response(url: url, head: head)
        }
        var first = TransactionMetrics(number: 1, reason: .initial, method: "GET", url: url, start: .zero)
        first.received.head = 10
        var last = TransactionMetrics(number: 2, reason: .redirect, method: "GET", url: url, start: .milliseconds(100))
        last.resolution = .milliseconds(100)..<(.milliseconds(110))
        last.connecting = .milliseconds(110)..<(.milliseconds(120))
        last.handshake = .milliseconds(120)..<(.milliseconds(140))
        last.connected = .milliseconds(140)
        last.firstByte = .microseconds(150_001)
        last.received.head = 20
        last.received.body = 3000
        let addresses = ConnectionAddresses(local: "[::1]:5", remote: "127.0.0.1:443")
        last.connection = ExchangeConnection(isReused: false, addresses: addresses)
        let metrics = TaskMetrics(
            startDate: Date(),
            transactions: [first, last],
            duration: .milliseconds(1500),
            redirectCount: 1
        )
        return WriteOutFacts(
            exitCode: 22,
            message: "no dog",
            url: "https://dogs.example/a",
            file: "f",
            response: response,
            metrics: metrics
        )
    }

    private static func text(_ format: String, status: Int? = 200) throws -> String {
        WriteOut(format).texts(try Self.facts(status)).map(\.text).joined()
    }

    static let values: [(name: String, value: String)] = [
        ("http_code", "200"), ("response_code", "200"), ("time_total", "1.500000"), ("time_namelookup", "0.110000"),
        ("time_connect", "0.120000"), ("time_appconnect", "0.140000"), ("time_pretransfer", "0.140000"),
        ("time_starttransfer", "0.150001"), ("time_redirect", "0.100000"), ("size_download", "3000"),
        ("size_header", "30"), ("speed_download", "2000"), ("num_redirects", "1"), ("num_connects", "1"),
        ("redirect_url", ""), ("content_type", "text/plain"), ("method", "GET"), ("remote_ip", "127.0.0.1"),
        ("remote_port", "443"), ("local_ip", "::1"), ("local_port", "5"), ("scheme", "https"), ("http_version", "1.0"),
        ("errormsg", "no dog"), ("exitcode", "22"), ("filename_effective", "f"), ("url", "https://dogs.example/a"),
        ("url_effective", "https://dogs.example/b/"), ("size_upload", "0"), ("nonsense", ""),
        ("header_json", #"{"content-type":["text/plain"],"location":["../c?d"],"x-dog":["Biscuit"]}"#),
    ]

    @Test(arguments: values)
    func `a variable has its value`(name: String, value: String) throws {
        #expect(try Self.text("<%{\(name)}>") == "<\(value)>")
    }

    @Test func `text, escapes and fields`() throws {
        #expect(try Self.text("a\\nb\\tc\\rd\\x%%%x%header{x-dog}%header{none}%{") == "a\nb\tc\rd\\x%%xBiscuit%{")
    }

    @Test func `a redirect that is not followed says where it leads`() throws {
        #expect(try Self.text("%{redirect_url}", status: 302) == "https://dogs.example/c?d")
    }

    @Test func `without a response there are zeros`() throws {
        #expect(try Self.text("%{http_code} %{content_type} %{http_version}", status: nil) == "000  0")
    }

    @Test func `two variables choose where it goes`() throws {
        let texts = WriteOut("a%{stderr}b%{stdout}c%{onerror}d").texts(try Self.facts())
        #expect(texts.map(\.text) == ["a", "b", "cd"])
        #expect(texts.map(\.stream) == [.output, .errors, .output])
    }

    @Test func `a terminal gets no control characters from the server, and those of the format`() throws {
        let url = try #require(URL(string: "https://dogs.example/"))
        var fields: HTTPFields = [.contentType: "text/\u{9B}31mplain"]
        fields["X-Dog"] = "Bis\u{9B}2Jcuit\u{202E}"
        let head = Response.Head(HTTPResponse.Status(code: 200, reasonPhrase: "X"), fields, .http11)
        let facts = WriteOutFacts(
            exitCode: 0,
            message: "no \u{1B}dog",
            url: url.absoluteString,
            file: "a\u{1B}b",
            response: Response(url: url, head: head),
            metrics: nil
        )
        let names = ["content_type", "errormsg", "filename_effective", "json", "header_json"]
        let variables = names.map { "%{\($0)}" }.joined() + "%header{x-dog}"
        let format = WriteOut("\u{1B}[1m\(variables)%{stderr}%header{x-dog}\\n")
        for shown in [WriteOut.Stream.output, .errors] {
            let texts = format.texts(facts) { $0 == shown }
            for (stream, text) in texts {
                let values = stream == .output ? text.dropFirst(4) : text[...]
                let isSafe = !values.unicodeScalars.contains { $0 != "\n" && TerminalText.isHarmful($0) }
                #expect(isSafe == (stream == shown), "\(stream)")
            }
            #expect(texts.first?.text.hasPrefix("\u{1B}[1m") == true && texts.last?.text.hasSuffix("\n") == true)
        }
        let field = WriteOut("%header{x-dog}")
        #expect(field.texts(facts) { _ in true }.map(\.text) == ["Bis\u{FFFD}2Jcuit\u{FFFD}"])
        #expect(field.texts(facts).map(\.text) == ["Bis\u{9B}2Jcuit\u{202E}"])
    }

    @Test func `all variables are one object`() throws {
        let json = try Self.text("%{json}")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["http_code"] as? Int == 200 && object["time_total"] as? Double == 1.5)
        #expect(object["method"] as? String == "GET" && object["redirect_url"] is NSNull)
    }

    @Test func `a name that is not known is found`() {
        #expect(WriteOut("%{http_code}%{a}%{b}%{a}%{json}").unknownNames == ["a", "b"])
    }
}
