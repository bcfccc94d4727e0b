// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernRequests
import TestSupport
import Testing

@Suite("RFC 7578 multipart/form-data")
struct MultipartConformance {
    private func text(_ multipart: Multipart) throws -> String {
        String(decoding: try multipart.encode(), as: UTF8.self)
    }

    @Test func `§4.1 parts are separated by the boundary, after CRLF and two hyphens`() throws {
        let form = Multipart().field("a", "1").field("b", "2")
        let line = "--\(form.boundary)"
        #expect(
            try self.text(form)
                == "\(line)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
                + "\(line)\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n2\r\n\(line)--\r\n"
        )
        #expect(form.contentType == "multipart/form-data; boundary=\(form.boundary)")
    }

    @Test func `§4.1 a boundary is 1 to 70 characters that need no quotes`() {
        let boundary = Multipart().boundary
        #expect(1...70 ~= boundary.utf8.count)
        #expect(boundary.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        #expect(Multipart().boundary != boundary)
    }

    @Test(arguments: [
        ("a\"b", "a%22b"), ("a\r\nX: y", "a%0D%0AX: y"), ("é 写", "é 写"), ("a\\b", "a\\b"), ("a;b=c", "a;b=c"),
        ("../a/b", "../a/b"),
    ])
    func `§4.2 names are UTF-8, with what would end them percent-encoded`(name: String, written: String) throws {
        let form = Multipart().file(name, Data(), filename: name)
        #expect(try self.text(form).contains("form-data; name=\"\(written)\"; filename=\"\(written)\"\r\n"))
    }

    @Test func `§4.3 several files have parts of the same name`() throws {
        let form = Multipart().file("f", Data([1]), filename: "a").file("f", Data([2]), filename: "b")
        #expect(try self.text(form).components(separatedBy: "name=\"f\"").count == 3)
    }

    @Test func `§4.4 a field has no type, a file has one`() throws {
        #expect(!(try self.text(Multipart().field("a", "1")).contains("Content-Type")))
        let file = Multipart().file("a", Data(), filename: "a")
        #expect(try self.text(file).contains("\r\nContent-Type: application/octet-stream\r\n\r\n"))
    }

    @Test func `§4.7 a part has no Content-Transfer-Encoding`() throws {
        #expect(!(try self.text(Multipart().file("a", Data([0xFF]), filename: "a")).contains("Transfer")))
    }

    @Test func `§4.8 a part has no other fields, whatever its names hold`() {
        for type in ["a/b\r\nX: y", "a\u{0}b"] {
            let form = Multipart().file("a", Data(), filename: "a", contentType: type)
            #expect(throws: RequestFailure.malformedFieldValue(name: "Content-Type")) { try form.encode() }
        }
        #expect(throws: RequestFailure.malformedFieldValue(name: "Content-Disposition")) {
            try Multipart().field("a\u{0}b", "").encode()
        }
    }

    @Test func `a boundary in a part is refused, that of a file excepted`() throws {
        let form = Multipart()
        #expect(throws: RequestFailure.boundaryOccursInPart) { try form.field("a", "x\(form.boundary)y").encode() }
        #expect(throws: RequestFailure.boundaryOccursInPart) { try form.field(form.boundary, "").encode() }
    }

    @Test func `a form with a file is not encoded before it is sent`() throws {
        let url = try #require(URL(string: "file:///photos/sunset.jpg"))
        let form = Multipart().field("title", "Sunset").file("photo", url)
        #expect(form.hasFiles)
        #expect(form.parts.last?.filename == "sunset.jpg")
        #expect(throws: RequestFailure.self) { try form.encode() }
        let body = try #require(Request(.post, "http://a").body(multipart: form).body)
        #expect(body.isReplayable && body.length == nil)
        #expect(body.contentType == form.contentType)
        guard case .multipart = body.content else {
            Issue.record("\(body.content)")
            return
        }
        let wrong = Request(.post, "http://a").body(multipart: form.field("a", form.boundary))
        #expect(wrong.problem == .boundaryOccursInPart)
    }
}
