// SPDX-License-Identifier: Apache-2.0
import TernFoundation
import TernValidation
import TestSupport
import Testing

@Suite("RFC 9457 problem details")
struct ProblemDetailsTests {
    private func details(_ json: String) -> ProblemDetails? { ProblemDetails(json: Data(json.utf8)) }

    @Test func `§3 the example is read`() throws {
        let details = try #require(
            self.details(
                """
                {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
                 "detail": "Your current balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc",
                 "status": 403, "balance": 30, "accounts": ["/account/12345", "/account/67890"]}
                """
            )
        )
        #expect(details.type == "https://example.com/probs/out-of-credit")
        #expect(details.title == "You do not have enough credit.")
        #expect(details.detail == "Your current balance is 30, but that costs 50.")
        #expect(details.instance == "/account/12345/msgs/abc")
        #expect(details.status == 403)
        #expect(
            details.extensions == [
                "balance": .integer(30), "accounts": .array([.string("/account/12345"), .string("/account/67890")]),
            ]
        )
    }

    @Test func `§3.1.1 a missing type is about:blank`() throws {
        let details = try #require(self.details("{}"))
        #expect(details == ProblemDetails())
        #expect(details.type == "about:blank")
    }

    @Test(arguments: ["null", "7", "true", "[]", "{}", "\"x\""])
    func `§3.1 a member of another type is ignored, and the others are not`(value: String) throws {
        for member in ["type", "title", "detail", "instance"] where value != "\"x\"" {
            let details = try #require(self.details("{\"\(member)\": \(value), \"known\": 1}"))
            var expected = ProblemDetails()
            expected.extensions = ["known": .integer(1)]
            #expect(details == expected)
        }
        guard value != "7" else { return }
        #expect(self.details("{\"status\": \(value)}") == ProblemDetails())
    }

    @Test(arguments: [
        "\"403\"", "99", "600", "-1", "403.5", "1e99", "9223372036854775807", "9223372036854775808",
    ])
    func `§3.1.2 a status that is none is ignored`(value: String) throws {
        #expect(try #require(self.details("{\"status\": \(value)}")).status == nil)
    }

    @Test func `§3.2 members that are not known are kept`() throws {
        let details = try #require(self.details(##"{"errors": [{"detail": "short", "pointer": "#/age"}]}"##))
        let error: JSONValue = .object(["detail": .string("short"), "pointer": .string("#/age")])
        #expect(details.extensions == ["errors": .array([error])])
    }

    @Test(arguments: ["", "null", "[]", "\"x\"", "{", "{\"a\":}", "<problem/>", "{\"a\":1}x"])
    func `§3 what is no object is nothing`(json: String) {
        #expect(self.details(json) == nil)
    }

    @Test func `§5 what is too long or nested too deep is nothing`() {
        let long = "{\"title\": \"\(String(repeating: "x", count: ProblemDetails.maximumByteCount))\"}"
        #expect(self.details(long) == nil)
        for depth in [JSONValue.maximumDepth + 1, 400, 10_000] {
            let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(self.details("{\"a\": \(deep)}") == nil)
        }
        let depth = JSONValue.maximumDepth - 1
        let fine = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(self.details("{\"a\": \(fine)}") != nil)
    }

    @Test func `every cut of a text is refused or read, and none traps`() {
        let text = Array(#"{"type":"t","title":"é","status":403,"a":[1,{"b":null}]}"#.utf8)
        for end in text.indices { #expect(ProblemDetails(json: Data(text[..<end])) == nil) }
        for index in text.indices {
            var damaged = text
            damaged[index] ^= 0x80
            _ = ProblemDetails(json: Data(damaged))
        }
        #expect(ProblemDetails(json: Data(text))?.status == 403)
    }
}
