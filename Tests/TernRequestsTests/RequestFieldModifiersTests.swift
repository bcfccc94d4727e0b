// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import Testing

@Suite("Modifiers of a request: fields")
struct RequestFieldModifiersTests {
    private let request = Request(.get, "https://example.com")

    @Test func `a field is set in place of others with its name`() {
        let request = self.request.header(adding: .accept, "a").header(adding: .accept, "b").header(.accept, "c")
        #expect(request.fields[values: .accept] == ["c"])
    }

    @Test func `a field is added after others with its name`() {
        let request = self.request.header(.accept, "a").header(adding: .accept, "b")
        #expect(request.fields[values: .accept] == ["a", "b"])
    }

    @Test func `a field may be named by a string`() throws {
        let request = self.request.header("X-Request-ID", "7")
        #expect(request.fields[try #require(HTTPField.Name("x-request-id"))] == "7")
        #expect(request.problem == nil)
    }

    @Test(arguments: ["", "a b", "a:", "ä", "a\r\nb", "(a)"])
    func `a name that is no token is refused`(name: String) {
        let request = self.request.header(name, "value")
        #expect(request.problem == .malformedFieldName)
        #expect(request.fields.isEmpty)
        #expect(self.request.header(adding: name, "value").problem == .malformedFieldName)
        #expect(self.request.sensitive("X-Key", name).problem == .malformedFieldName)
    }

    @Test(arguments: ["a\r\nb: c", "a\nb", "a\rb", "a\0", "\u{1}", "\u{1B}[0m", "a\u{7F}"])
    func `a value with a control character is refused, not repaired`(value: String) {
        for request in [
            self.request.header(.accept, value), self.request.header(adding: .accept, value),
            self.request.header("accept", value),
        ] {
            #expect(request.fields.isEmpty)
            guard case .malformedFieldValue(let name) = request.problem else {
                Issue.record("\(String(describing: request.problem))")
                continue
            }
            #expect(name.lowercased() == "accept")
        }
    }

    @Test(arguments: ["", "a", "a\tb", "a b", "é", "\"quoted\"", "a, b;q=0.5", "!#$%&'*+-.^_`|~"])
    func `other values are kept`(value: String) {
        #expect(self.request.header(.accept, value).fields[.accept] == value)
        #expect(self.request.header(.accept, value).problem == nil)
    }

    @Test func `a field that is set anew is forgiven, another is not`() {
        let bad = self.request.header(.accept, "\n")
        #expect(bad.header(.accept, "a").problem == nil)
        #expect(bad.header(.range, "a").problem == .malformedFieldValue(name: "Accept"))
    }
}
