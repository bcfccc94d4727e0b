// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernRequests
import Testing

@Suite("Values in JSON")
struct JSONTextTests {
    private struct Body: Decodable, Equatable {
        var title: String
        var isPublic: Bool?
    }

    static let hostile = [
        "/../", "?", "#", "&", "\"", "\\", "\\\"", "\r\n", "\u{0}", "\u{1F}", "\u{7F}", "\u{2028}\u{2029}", "%2e",
        "{{x}}",
        "\", \"isPublic\": true, \"x\": \"", "\\u0022", "</script>", "🐦", "\"\u{301}", "\\\u{301}", "",
    ]

    @Test(arguments: hostile)
    func `text stays within its quotes`(value: String) throws {
        let json: JSONText = #"{"title": "\#(value)"}"#
        #expect(json.problem == nil)
        #expect(try JSONDecoder().decode(Body.self, from: Data(json.text.utf8)) == Body(title: value))
    }

    @Test(arguments: hostile)
    func `a value on its own is one value`(value: String) throws {
        let json: JSONText = #"{"title": \#(value)}"#
        #expect(json.problem == nil)
        #expect(try JSONDecoder().decode(Body.self, from: Data(json.text.utf8)) == Body(title: value))
    }

    @Test(arguments: hostile)
    func `a key stays one`(value: String) throws {
        let json: JSONText = #"{"\#(value)x": 1}"#
        let members = try JSONDecoder().decode([String: Int].self, from: Data(json.text.utf8))
        #expect(members.count == 1 && members.values.first == 1)
    }

    @Test func `control characters and the ends of lines are escaped`() {
        let json: JSONText = #""\#("\u{0}\n\u{2028}")""#
        #expect(json.text == #""\u0000\u000a\u2028""#)
    }

    @Test func `values are written by their types`() {
        let (number, half, truth, list): (Int, Double, Bool, [String]) = (7, 0.5, true, ["a/b", "c\""])
        let (none, some): (Int?, Int?) = (nil, 3)
        let json: JSONText = "[\(number), \(half), \(truth), \(list), \(none), \(some), {\"a\": \(["b": 1])}]"
        #expect(json.text == #"[7, 0.5, true, ["a/b","c\""], null, 3, {"a": {"b":1}}]"#)
        let inText: JSONText = "\"\(number) \(half) \(truth)\""
        #expect(inText.text == #""7 0.5 true""#)
    }

    @Test func `a value stands only where JSON has one`() {
        let (value, text, list) = (7, "a", [1])
        let wrong: [JSONText] = [
            "{\(value): 1}", "{\"a\": 1\(value)}", "{\"a\": \(value)2}", "{\"a\": \(value)\(value)}",
            "{\"a\": -\(value)}",
            "{\"a\": 1, \(text): 2}", "{\"a\": \(value).5}", "[1 \(value)]", "[\(value) 1]", "\"\(list)\"", "{\(list)}",
            "[tru\(text)]", "\"\\\(text)\"", "\"\\u00\(text)\"", "[\(text)\"b\"]", "[\"a\"\(text)]",
            // In the place of a key.
            "{\"a\":1,\(value)}", "{\"a\":1,\(text)}", "{\"a\": [1], \(text)}", "{\"a\": {}, \(text): 1}",
            "[{\"a\": 1, \(text)}]", "{\"a\": \(value), \(text): 2}", "{\"a\": \"[\", \(text)}",
            // In a list with a key, and with the end of another container.
            "[\"a\": \(value)]", "[\(value): 1]", "[\(value)}", "{\"a\": \(value)]", "{\"a\": \(value): 1}",
            // At the top level, next to another value.
            "1, \(value)", "[1], \(value)", "\(value), 1", "\(value)]", "\"a\": \(value)", "{}\(value)",
        ]
        for json in wrong {
            guard case .bodyNotEncodable? = json.problem else {
                Issue.record("\(json.text)")
                continue
            }
        }
        #expect(Request(.post, "http://h").body(jsonText: "{\(value)}").problem != nil)
        #expect(Request(.post, "http://h").body(jsonText: "{\(value)}").body == nil)
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    @Test func `a value stands wherever JSON has one`() throws {
        let (value, text) = (7, "a")
        let right: [JSONText] = [
            "\(value)", " \(text) ", "[\(value)]", "[1, \(value)]", "[[], {}, \(value)]", "[{\"a\": 1}, \(value)]",
            "[\"{\", \(value), \(text)]", "{\"a\": \(value)}", "{\"a\": 1, \"b\": \(value)}",
            "{\"a\": [1, \(value)], \"b\": \(text)}", "{\"a\": {\"b\": \(value)}, \"c\": [\(text)]}",
            "{\"a\": \"}]\", \"b\": \(value)}", "{\"a\": 1, \"\(text)\": \"\(text)\"}", "[{\"a\": 1, \"b\": \(value)}]",
        ]
        for json in right {
            #expect(json.problem == nil, "\(json.text)")
            _ = try JSONDecoder().decode(Anything.self, from: Data(json.text.utf8))
        }
    }

    @Test func `a string that does not end is refused`() {
        let text = "a"
        let json: JSONText = "{\"a\": \"\(text)}"
        #expect(json.problem != nil)
    }

    @Test func `what cannot be encoded is refused`() {
        let json: JSONText = "[\(Double.nan)]"
        #expect(json.problem != nil)
    }

    @Test func `the request has the text and its type`() throws {
        let title = "a\"b"
        let request = Request(.post, "http://h").body(jsonText: "{\"title\": \"\(title)\"}")
        guard case .data(let data)? = request.body?.content else { throw CancellationError() }
        #expect(String(decoding: data, as: UTF8.self) == #"{"title": "a\"b"}"#)
        #expect(request.body?.contentType == "application/json")
        let other = Request(.post, "http://h").body(jsonText: "1", contentType: "application/problem+json")
        #expect(other.body?.contentType == "application/problem+json")
    }

    @Test func `what it says is not shown`() {
        let password = "secret"
        let json: JSONText = "{\"password\": \"\(password)\"}"
        #expect("\(json)" == "JSON of 22 bytes")
        #expect(!String(reflecting: json).contains(password))
    }
}
