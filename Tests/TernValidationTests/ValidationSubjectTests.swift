// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TernValidation
import Testing

@Suite("Validation rules")
struct ValidationSubjectTests {
    private func subject(
        _ status: Int,
        type: String? = nil,
        method: HTTPRequest.Method = .get,
        accept: String? = nil,
        length: Int64? = nil
    ) -> ValidationSubject {
        var fields = HTTPFields()
        fields[.contentType] = type
        let response = HTTPResponse(status: .init(code: status), headerFields: fields)
        return ValidationSubject(response, method: method, accept: accept, length: length)
    }

    @Test(arguments: [(200, true), (299, true), (199, false), (300, false), (404, false), (999, false)])
    func `success is 2xx`(code: Int, holds: Bool) {
        #expect(self.subject(code).violation(of: .success) == (holds ? nil : .status(code)))
    }

    @Test func `statuses are sets`() {
        let set = StatusSet.success.union([404]).subtracting([204])
        #expect(set.contains(200) && set.contains(404) && !set.contains(204) && !set.contains(500))
        #expect(StatusSet(400...499).contains(499) && !StatusSet(400..<499).contains(499))
        #expect(!StatusSet(2000...3000).contains(2000) && StatusSet(0..<Int.max).contains(999))
        #expect(self.subject(404).violation(of: ValidationRule(.status(set))) == nil)
        #expect(self.subject(204).violation(of: ValidationRule(.status(set))) == .status(204))
    }

    @Test(
        arguments: [
            ("application/json; charset=utf-8", nil), ("text/html", .contentType("text/html")),
            (nil, .contentType(nil)),
            ("nonsense", .contentType(nil)), ("application/json, text/html", .contentType("text/html")),
            ("text/html, application/json", nil), ("application/json, application/json", nil),
            ("application/json, nonsense", nil), ("nonsense, nonsense", .contentType(nil)),
        ] as [(String?, ValidationFailure.Rule?)]
    )
    func `a media type is one of those accepted`(type: String?, expected: ValidationFailure.Rule?) {
        #expect(self.subject(200, type: type).violation(of: .contentType("image/*", "application/json")) == expected)
    }

    @Test func `an unknown type is within all types only`() {
        #expect(self.subject(200).violation(of: .contentType("*/*")) == nil)
        #expect(self.subject(200).violation(of: .contentType("no range")) == .contentType(nil))
    }

    @Test func `a long type is not repeated in full`() {
        let type = "a/\(String(repeating: "b", count: 900))"
        guard case .contentType(let shown?)? = self.subject(200, type: type).violation(of: .contentType("text/*"))
        else {
            Issue.record("not refused")
            return
        }
        #expect(shown.utf8.count == 64)
    }

    @Test(arguments: [
        (204, HTTPRequest.Method.get, nil), (205, .get, nil), (304, .get, nil), (200, .head, nil), (200, .get, 0),
    ])
    func `where there is no content, there is no type and no length to check`(
        code: Int,
        method: HTTPRequest.Method,
        length: Int64?
    ) {
        let subject = self.subject(code, type: "text/html", method: method, length: length)
        #expect(subject.violation(of: .contentType("application/json")) == nil)
        if length == nil { #expect(subject.violation(of: .length(5...6)) == nil) }
    }

    @Test(
        arguments: [
            ("application/json", "application/json", true), ("application/json", "text/html", false),
            ("text/html;q=0, */*", "text/plain", true), (nil, "text/html", true), ("", "text/html", true),
            ("no list", "text/html", true), ("*/*", "text/html", true), ("text/html;q=0, */*", "text/html", false),
            ("*/*, text/*;q=0, text/html", "text/html", true), ("*/*, text/*;q=0, text/html", "text/css", false),
            ("*/*;q=0, text/html", "text/html", true), ("*/*;q=0, text/html", "a/b", false),
            ("text/html;q=0", "text/html", false), ("text/html;q=0", "a/b", true),
            ("text/html;v=1;q=0, text/html", "text/html", true),
            (Array(repeating: "a/b", count: 65).joined(separator: ","), "text/html", true),
        ] as [(String?, String, Bool)]
    )
    func `content is what the request accepts`(accept: String?, type: String, holds: Bool) {
        let violation = self.subject(200, type: type, accept: accept).violation(of: .accepted)
        #expect(violation == (holds ? nil : .contentType(type)))
    }

    @Test(
        arguments: [(nil, nil), (4, .length(4)), (5, nil), (6, nil), (7, .length(7)), (0, .length(0))]
            as [(
                Int64?, ValidationFailure.Rule?
            )]
    )
    func `a length is within a range, as far as it is known`(length: Int64?, expected: ValidationFailure.Rule?) {
        #expect(self.subject(200, length: length).violation(of: .length(5...6)) == expected)
    }

    @Test func `a field is there`() {
        #expect(self.subject(200, type: "a/b").violation(of: .requiredField(.contentType)) == nil)
        #expect(self.subject(200).violation(of: .requiredField(.eTag)) == .missingField("ETag"))
        #expect(self.subject(200, type: "a/b").violation(of: .requiredField("content-type")) == nil)
        #expect(self.subject(200).violation(of: .requiredField("X-Key")) == .missingField("X-Key"))
        #expect(self.subject(200).violation(of: .requiredField("X Key")) == .missingField("X Key"))
    }

    @Test func `one of several is enough`() {
        let rule = ValidationRule.any(of: .success, .status([404]))
        #expect(self.subject(200).violation(of: rule) == nil)
        #expect(self.subject(404).violation(of: rule) == nil)
        #expect(self.subject(500).violation(of: rule) == .status(500))
        #expect(self.subject(500).violation(of: .any()) == nil)
    }

    @Test func `a request has rules of its own, and gets more`() {
        let plain = Request(.get, "http://a")
        #expect(plain.options.validation == nil)
        #expect(plain.validate().options.validation == [.success, .accepted])
        #expect(plain.validate(.success).validate(.requiredField(.eTag)).options.validation?.count == 2)
    }
}
