// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles
import Testing

@Suite("An expression of a request file")
struct ValueExpressionTests {
    /// Generates the same bits again and again.
    private struct SameBits: RandomNumberGenerator {
        mutating func next() -> UInt64 { 0x0123_4567_89AB_CDEF }
    }

    /// 2026-11-28T22:10:05.123Z, a Saturday.
    private static let now: Int64 = 1_795_903_805_123

    static let values: [(text: String, value: String)] = [
        ("$timestamp", "1795903805"), ("$timestamp -1 d", "1795817405"), ("$timestamp 2 ms", "1795903805"),
        ("$datetime iso8601", "2026-11-28T22:10:05.123Z"), ("$isoTimestamp", "2026-11-28T22:10:05.123Z"),
        ("$datetime rfc1123", "Sat, 28 Nov 2026 22:10:05 GMT"),
        ("$datetime rfc1123 2 h", "Sun, 29 Nov 2026 00:10:05 GMT"),
        ("$datetime \"DD.MM.YYYY HH:mm\" 3 M", "28.02.2027 22:10"), ("$datetime 'dd-MM-yyyy' 1 y", "28-11-2027"),
        ("$datetime iso8601 1 M", "2026-12-28T22:10:05.123Z"), ("$datetime YYYY-MM-DD -9 M", "2026-02-28"),
        ("$localDatetime iso8601", "2026-11-28T23:40:05.123+01:30"), ("$localDatetime HH:mm", "23:40"),
        ("$date", "2026-11-28"),
        ("$datetime \"dddd D MMMM YY, h:mm A [at] Z\"", "Saturday 28 November 26, 10:10 PM at +00:00"),
        ("$datetime YYYY-MM-DD -60 y", "1966-11-28"), ("$timestamp -57 y", "-2857795"),
    ]

    @Test(arguments: values)
    func `a time is text`(text: String, value: String) throws {
        let expression = try #require(ValueExpression(text))
        var generator = SameBits()
        #expect(expression.text(now: Self.now, localOffset: 5400, using: &generator) == value)
    }

    @Test func `random values have their form`() throws {
        var generator = SystemRandomNumberGenerator()
        for name in ["$guid", "$uuid", "$random.uuid"] {
            let expression = try #require(ValueExpression(name))
            let uuid = try #require(expression.text(now: 0, localOffset: 0, using: &generator))
            #expect(uuid.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        }
        #expect(ValueExpression("$env.PATH") == .environment("PATH") && ValueExpression("$env.A B") == nil)
        #expect(ValueExpression("$processEnv %PATH") == .environment("PATH"))
        #expect(ValueExpression("$dotenv KEY") == .dotenv("KEY") && ValueExpression("$dotenv %KEY") == .dotenv("KEY"))
        #expect(ValueExpression("$randomInt") == .integer(0..<1000))
        #expect(ValueExpression("$randomInt -3 7") == .integer(-3..<7))
        #expect(ValueExpression("$random.integer(1, 7)") == .integer(1..<7))
        let hexadecimal = try #require(ValueExpression("$random.hexadecimal(8)"))
        let digits = try #require(hexadecimal.text(now: 0, localOffset: 0, using: &generator))
        #expect(digits.wholeMatch(of: /[0-9a-f]{8}/) != nil)
    }

    @Test(arguments: [
        "", "a", "$", "$x", "$guid x", "$timestamp 1", "$timestamp 1 q", "$timestamp 1000001 d", "$datetime",
        "$datetime iso8601 1", "$randomInt 1", "$randomInt 7 7", "$randomInt 1 x", "$random.integer(1", "$processEnv",
        "$processEnv %", "$processEnv %%A", "$processEnv A B", "$random.hexadecimal(1025)",
        "$random.hexadecimal(-1)", "$timestamp]",
        "a.response", "a.response.", "a.response.status", "a.response.body.", "a.response.body[x]",
        "a.response.headers",
        ".response.body", "a.response.body.//b", "a.response.body[-1]", "a.response.headers.a.b",
    ])
    func `anything else is none`(text: String) { #expect(ValueExpression(text) == nil) }

    static let references: [(text: String, name: String, part: MessageReference.Part)] = [
        ("a.response.body", "a", .body), ("a.response.body.*", "a", .body), ("a.response.body.$", "a", .value([])),
        ("log in.response.body.token", "log in", .value([.member("token")])),
        ("a.response.body.$.b[0]['c d'].e", "a", .value([.member("b"), .element(0), .member("c d"), .member("e")])),
        ("a.response.headers.X-Token", "a", .field("X-Token")),
    ]

    @Test(arguments: references)
    func `a part of a message has a path`(text: String, name: String, part: MessageReference.Part) throws {
        for message in [MessageReference.Message.request, .response] {
            let text = message == .request ? text.replacing(".response.", with: ".request.") : text
            guard case .message(let reference)? = ValueExpression(text) else { throw CancellationError() }
            #expect(reference.request == name && reference.message == message && reference.part == part)
        }
    }

    @Test(arguments: [
        ("a.request.body.response.b", MessageReference.Message.request), ("a.response.body.request.b", .response),
    ])
    func `the first of the two words tells the message`(text: String, message: MessageReference.Message) throws {
        guard case .message(let reference)? = ValueExpression(text) else { throw CancellationError() }
        #expect(reference.request == "a" && reference.message == message)
    }

    @Test func `limits hold`() {
        let length = ValueExpression.maximumByteCount
        #expect(ValueExpression("$datetime \"" + String(repeating: "x", count: length) + "\"") == nil)
        #expect(ValueExpression("$datetime \"" + String(repeating: "x", count: 65) + "\"") == nil)
        #expect(ValueExpression("a.response.body" + String(repeating: ".b", count: 65)) == nil)
        #expect(ValueExpression("a.response.body" + String(repeating: ".b", count: 64)) != nil)
    }
}
