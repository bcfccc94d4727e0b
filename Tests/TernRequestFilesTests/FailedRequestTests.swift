// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles
import Testing

@Suite("A request file with errors")
struct FailedRequestTests {
    static let errors: [(text: String, description: String)] = [
        ("# @name b\nGET ftp://h", "5:5: error: request 'b': a URL must begin with http://, https://, ws:// or wss://"),
        ("GET http://h/{{a", "4:14: error: request 'Title': '{{' has no '}}' on its line; write '{{name}}'"),
        ("GET http://h/\u{1}", "4:14: error: request 'Title': there is a control character here; remove it"),
        ("POST http://h\nA b: c", "5:1: error: request 'Title': this is not a header field"),
        ("# @param a: [Int\nGET http://h/{{a}}", "4:13: error: request 'Title': this is not a type"),
        ("# @param a\nGET http://h", "4:10: error: request 'Title': {{a}} does not occur in this request"),
        ("GET http://h/a/../b", "4:16: error: request 'Title': a component of a path must not be '.' or '..'"),
    ]

    @Test(arguments: errors)
    func `an error costs only its request`(text: String, description: String) throws {
        let file = try readLeniently("# @name a\nGET http://h/a\n### Title\n\(text)\n###\n# @name c\nGET http://h/c\n")
        #expect(file.requests.map(\.name) == ["a", "c"])
        #expect(file.failedRequests.count == 1 && file.errors.isEmpty)
        let failure = try #require(file.failedRequests.first)
        #expect("\(failure)".hasPrefix(description), "\(failure)")
        #expect(throws: RequestFileFailure.self) { try read("### Title\n\(text)") }
    }

    @Test func `without a name and a title, the line names the request`() throws {
        let file = try readLeniently("\n\nGET ftp://h")
        #expect(file.failedRequests.map(\.label) == ["the request on line 3"])
    }

    @Test func `bytes that are not UTF-8 cost only their request`() throws {
        let bytes =
            Array("GET http://h/a\n###\nGET http://h/".utf8) + [0xC3, 0x28] + Array("\n###\nGET http://h/c".utf8)
        let file = try RequestFile(bytes, for: .sending)
        #expect(file.requests.map(\.target.literal) == ["/a", "/c"])
        #expect(file.failedRequests.map(\.error.rule) == [.notUTF8])
    }

    @Test func `an error in a variable costs no request`() throws {
        let file = try readLeniently("@a = {{b\n@c\nGET http://h/{{a}}")
        #expect(file.errors.map(\.rule) == [.unclosedVariable, .malformedVariable])
        #expect(file.requests.first?.parameters.map(\.name) == ["a"])
    }

    @Test func `variables that contain each other are told, whatever their order`() throws {
        let file = try readLeniently("@a = {{b}}\n@b = {{a}}\n@c = {{d}}\n@d = x\nGET http://h/{{a}}{{c}}")
        #expect(file.errors.map(\.rule) == [.circularVariable("a")])
        #expect(file.variables.map(\.value) == [nil, nil, "x", "x"])
    }

    @Test func `variables that double each other come to an end`() throws {
        let lines = (1...60).map { "@a\($0) = {{a\($0 - 1)}}{{a\($0 - 1)}}\n" }.joined()
        let file = try readLeniently("@a0 = x\n" + lines)
        #expect(file.errors.first?.rule == .valueTooLong)
    }

    @Test func `limits hold`() throws {
        let requests = String(repeating: "GET http://h\n###\n", count: 1001)
        let file = try readLeniently(requests)
        #expect(file.requests.count == RequestFileLimits.maximumRequestCount)
        #expect(file.errors.map(\.rule) == [.tooMany("requests")])
        let failures = try readLeniently(String(repeating: "GET ftp://h\n###\n", count: 1001))
        #expect(failures.failedRequests.count == RequestFileLimits.maximumRequestCount)
        let joined = try readLeniently("x\n\n" + String(repeating: "GET http://h\n\n", count: 2000))
        #expect(joined.requests.count + joined.failedRequests.count == RequestFileLimits.maximumRequestCount)
        func rule(_ text: String) throws -> RequestFileRule? {
            try readLeniently(text).failedRequests.first?.error.rule
        }
        let value = "/" + String(repeating: "a", count: 8000)
        #expect(try rule("@a = \(value)\nGET http://h/{{a}}{{a}}") == .valueTooLong)
        #expect(try rule("@a = \(value)\nPOST http://h\nContent-Type: x/{{a}}{{a}}\n\nx") == .variableInType)
        #expect(try rule("GET " + String(repeating: "{{a}}", count: 65)) == .tooMany("parameters"))
        #expect(try rule("get http://h" + String(repeating: "\nX: 1", count: 101)) == .tooMany("fields"))
        let part = "--b\nContent-Disposition: form-data; name=a\n\nx\n"
        let head = "POST http://h\nContent-Type: multipart/form-data; boundary=b\n\n"
        #expect(try rule(head + String(repeating: part, count: 101)) == .tooMany("parts"))
        #expect(throws: RequestFileFailure.self) {
            try readLeniently(String(repeating: "#", count: RequestFileLimits.maximumByteCount + 1))
        }
    }

    @Test(arguments: [
        RequestFileTests.photos, "@h = a\n\nGET http://{{h}}/?b={{c}}\n\nAB", "POST http://h\n\na\n\nGET http://i",
    ])
    func `a request without errors is read as for code`(text: String) throws {
        guard let strict = try? read(text) else { return }
        let file = try readLeniently(text)
        #expect(file.requests == strict.requests && file.failedRequests.isEmpty && file.errors.isEmpty)
        #expect(file.variables.map(\.value) == strict.variables.map(\.value))
    }
}
