// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernValidation
import Testing

@Suite("Problem details in errors")
struct ProblemDetailsErrorTests {
    private static let json = #"{"title":"Out of credit","balance":30}"#

    private func error(
        _ body: String = Self.json,
        type: String? = "application/problem+json; charset=utf-8",
        isComplete: Bool = true
    ) -> ClientError {
        var fields = HTTPFields()
        fields[.contentType] = type
        let response = HTTPResponse(status: .forbidden, headerFields: fields)
        let failure = ValidationFailure(.status(403), body: Data(body.utf8), isBodyComplete: isComplete)
        return .validationFailed(failure, ClientError.Context(phase: .validate, response: response))
    }

    @Test func `an error has the problem that its body describes`() {
        #expect(self.error().problemDetails?.title == "Out of credit")
        #expect(self.error().problemDetails?.extensions == ["balance": .integer(30)])
    }

    @Test func `a type that occurs twice is read once`() {
        let type = "application/problem+json"
        #expect(self.error(type: "\(type), \(type)").problemDetails?.title == "Out of credit")
        #expect(self.error(type: "text/html, \(type)").problemDetails?.title == "Out of credit")
        #expect(self.error(type: "\(type), text/html").problemDetails == nil)
    }

    @Test func `another type, a part of a body, and other errors have none`() {
        #expect(self.error(type: "application/json").problemDetails == nil)
        #expect(self.error(type: nil).problemDetails == nil)
        #expect(self.error(isComplete: false).problemDetails == nil)
        #expect(self.error("{").problemDetails == nil)
        #expect(ClientError.cancelled(.init(phase: .body)).problemDetails == nil)
    }

    @Test func `a body is decoded as the error of the service in one line`() {
        struct ServiceError: Decodable, Equatable { var title: String }
        #expect(self.error().decoded(as: ServiceError.self) == ServiceError(title: "Out of credit"))
        let other = DecodingFailure(.keyNotFound, type: "User", body: Data(Self.json.utf8))
        let context = ClientError.Context(phase: .decode)
        #expect(ClientError.decodingFailed(other, context).decoded(as: ServiceError.self) != nil)
        #expect(self.error("[]").decoded(as: ServiceError.self) == nil)
        #expect(self.error(isComplete: false).decoded(as: ServiceError.self) == nil)
        #expect(ClientError.cancelled(.init(phase: .body)).decoded(as: ServiceError.self) == nil)
    }

    private func extensions(_ value: String) -> JSONValue? {
        ProblemDetails(json: Data(#"{"x":\#(value)}"#.utf8))?.extensions["x"]
    }

    @Test(
        arguments: [
            ("1", .integer(1)), ("-0", .integer(0)), ("1.5", .number(1.5)), ("-2E+2", .number(-200)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("true", .bool(true)), ("null", .null),
            (" [ ] ", .array([])), ("[1, [{}]]", .array([.integer(1), .array([.object([:])])])),
            (#""a\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00é""#, .string("a\"\\/\u{8}\u{C}\n\r\té😀é")),
            (#"{"a":1,"a":2}"#, .object(["a": .integer(2)])),
        ] as [(String, JSONValue)]
    )
    func `RFC 8259 values are read`(text: String, expected: JSONValue) {
        #expect(self.extensions(text) == expected)
    }

    @Test(arguments: [
        "", "01", "-", "1.", ".5", "+1", "1e", "1e999", "NaN", "tru", "True", "[1,]", "[1 2]", "[", "{\"a\"}",
        "{\"a\":}",
        "{a:1}", "{\"a\":1,}", "'a'", "\"a", "\"\n\"", #""\x""#, #""\u12""#, #""\uD83D""#, #""\uD83Dx""#, #""\uDE00""#,
        #""\uD83D\u0041""#, "1} {", "\u{FEFF}1",
    ])
    func `RFC 8259 what is no JSON is refused`(text: String) {
        #expect(ProblemDetails(json: Data(#"{"x":\#(text)}"#.utf8)) == nil)
    }

    @Test func `what is no UTF-8 is refused`() {
        #expect(ProblemDetails(json: Data(#"{"x":""#.utf8) + [0xC3, 0x28] + Data(#""}"#.utf8)) == nil)
        #expect(ProblemDetails(json: Data()) == nil)
    }

    @Test func `a text has limits of depth and number`() {
        let depth = JSONValue.maximumDepth - 1  // within an object
        for (depth, isRead) in [(depth, true), (depth + 1, false), (30_000, false)] {
            let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect((self.extensions(nested) != nil) == isRead)
        }
        for (count, isRead) in [(4094, true), (4095, false), (32_000, false)] {
            let list = "[\(Array(repeating: "0", count: count).joined(separator: ","))]"
            #expect((self.extensions(list) != nil) == isRead)
        }
        #expect(self.extensions(String(repeating: "9", count: 128)) != nil)
        #expect(self.extensions(String(repeating: "9", count: 129)) == nil)
    }

    @Test func `a number is known by what it is`() throws {
        let json = Data(#"[1, 1.5, true, null, "x", 1e300, {"a": []}, 9223372036854775807]"#.utf8)
        let value = try JSONDecoder().decode(JSONValue.self, from: json)
        let expected: [JSONValue] = [
            .integer(1), .number(1.5), .bool(true), .null, .string("x"), .number(1e300), .object(["a": .array([])]),
            .integer(.max),
        ]
        #expect(value == .array(expected))
    }
}
