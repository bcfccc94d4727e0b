// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles
import Testing

@Suite("A body in the form of another editor")
struct LenientBodyTests {
    private static let json = "POST http://h\nContent-Type: application/json\n\n"

    static let texts: [(text: String, body: String, warning: String?)] = [
        ("GET http://h\n\nhello", "hello", "the body of a GET or HEAD is sent"),
        ("\(json){\"a\": 1}\n\n# comment\n// another", "{\"a\": 1}", "comments are not a part of the body"),
        ("\(json){\n// x\n\"a\": 1\n}", "{\n\"a\": 1\n}", "comments are not a part of the body"),
        ("\(json){\"a\": 1,}", "{\"a\": 1,}", "the body is not valid JSON, and is sent unchanged"),
        ("\(json){\"a\":\n  // x\n", "{\"a\":", "comments are not a part of the body"),
        ("POST http://h\nContent-Type: application/json\n{\"a\": 1}", "{\"a\": 1}", "the body begins here"),
        ("POST http://h\nContent-Length: 3\n\nabc", "abc", "the client sets Content-Length itself"),
        ("@t = application/json\nPOST http://h\nContent-Type: {{t}}\n\n[1]", "[1]", nil),
        ("POST http://h\n\n{\"a\": \"{{b}}\"}", "{\"a\": \"{{b}}\"}", "the body has no Content-Type, and is sent as"),
        ("\(json){\"a\": {{b}}}", "{\"a\": {{b}}}", nil),
        ("@b = 5\n\(json)[{{b}}]", "[{{b}}]", nil),
        ("POST http://h\nContent-Type: text/xml\n\n<a>{{b}}</a>", "<a>{{b}}</a>", nil),
        ("POST http://h\nContent-Type: text/csv\n\na,{{b}}", "a,{{b}}", nil),
        ("POST http://h\nContent-Type: {{t}}\n\nx", "x", nil),
        ("POST http://h\nContent-Type: {{t}}\n\n[\"{{b}}\"]", "[\"{{b}}\"]", "the media type is a variable"),
        ("POST http://h\nContent-Type: application/json; charset={{c}}\n\n[{{b}}]", "[{{b}}]", nil),
    ]

    @Test(arguments: texts)
    func `a body is read, with a warning`(text: String, body: String, warning: String?) throws {
        let file = try readLeniently(text)
        #expect(file.failedRequests.isEmpty && file.requests.count == 1, "\(file.failedRequests)")
        switch try #require(file.requests.first).body {
        case .json(let template), .text(let template): #expect(template.text { "{{\($0)}}" } == body)
        default: Issue.record("no text")
        }
        let warnings = file.warnings.map(\.sentence)
        if let warning {
            #expect(warnings.contains { $0.hasPrefix(warning) }, "\(warnings)")
        } else {
            #expect(warnings.isEmpty, "\(warnings)")
        }
    }

    static let kinds: [(type: String, kind: MediaText)] = [
        ("text/plain", .plain), ("application/xml", .markup), ("text/html; charset={{c}}", .markup),
        ("application/atom+xml;charset={{c}}; x={{d}}", .markup), ("text/csv; header={{c}}", .plain),
    ]

    @Test(arguments: kinds)
    func `the type decides how values are escaped, whatever its parameters`(type: String, kind: MediaText) throws {
        let head = "@e = y\nPOST http://h\nContent-Type: "
        #expect(try readOneLeniently("\(head)\(type)\n\n{{b}}").request.mediaText == kind)
        #expect(try readOneLeniently("\(head)\(type); f={{e}}\n\n{{b}}").request.mediaText == kind)
    }

    @Test func `a comment is no body`() throws {
        let (request, warnings) = try readOneLeniently("GET http://h\n\n# a\n\n// b")
        #expect(request.body == nil && warnings == ["comments are not a part of the body"])
    }

    @Test func `a value without a type is JSON`() throws {
        let (request, _) = try readOneLeniently("\(Self.json){\"a\": {{b}}}")
        #expect(request.parameters.map(\.type) == [.json])
        #expect(try readOneLeniently("@b = 5\n\(Self.json)[{{b}}]").request.standsForJSON("b"))
    }

    static let refused: [(text: String, rule: RequestFileRule)] = [
        ("\(json){\"a\": \"{{b}}\",}", .malformedJSON), ("POST http://h\n\na={{b}}", .typeOfBodyNeeded),
        ("POST http://h\nContent-Type: application/x-yaml\n\na: {{b}}", .variableNotPossible),
        ("POST http://h\nContent-Type: x/{{t}}\n\nx", .variableInType),
        ("POST http://h\nContent-Type: {{t}}\n\na={{b}}", .typeOfBodyNeeded),
        ("POST http://h\nContent-Type: multipart/form-data; boundary={{b}}\n\n--b", .multipart),
        ("POST http://h\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n{{c}}\n--b--", .variableNotPossible),
        ("POST http://h\nContent-Type: multipart/form-data\n\n--b", .multipart),
        ("POST http://h\n\n< ./a\n\nb", .malformedFileBody),
        ("POST http://h\n\n< ./{{a}}", .malformedFileBody), ("POST http://h\n\n<@utf8 ./a", .malformedFileBody),
        ("POST http://h\n\na\n> x.json\nb", .textBehindBody),
    ]

    @Test(arguments: refused)
    func `a body with values that cannot be escaped is refused`(text: String, rule: RequestFileRule) throws {
        let file = try readLeniently(text)
        #expect(file.requests.isEmpty && file.failedRequests.map(\.error.rule) == [rule])
    }

    @Test func `a file may stand before comments, and may have variables`() throws {
        #expect(try readOneLeniently("POST http://h\n\n< ./a b\n\n# x").request.body == .file("./a b"))
        let request = try readOneLeniently("POST http://h\n\n<@ ./a").request
        #expect(request.body == .file("./a") && request.sendsFileWithVariables)
    }

    static let queries: [(text: String, json: String)] = [
        ("GRAPHQL http://h\n\nquery {\n\ta(b: \"c\\d\")\n}", #"{"query":"query {\n\ta(b: \"c\\d\")\n}"}"#),
        (
            "POST http://h\nX-REQUEST-TYPE: GraphQL\n\n{ a }\n\n{\"b\": [1]}",
            #"{"query":"{ a }","variables":{"b": [1]}}"#
        ),
        ("GRAPHQL http://h\n\n{ a }\n\n{ b }", #"{"query":"{ a }\n\n{ b }"}"#),
        (
            "GRAPHQL http://h\n\n{ a(id: \"{{id}}\") }\n\n{\"b\": \"{{c}}\"}\n",
            #"{"query":"{ a(id: \"{{id}}\") }","variables":{"b": "{{c}}"}}"#
        ),
    ]

    @Test(arguments: queries)
    func `GraphQL is sent as JSON`(text: String, json: String) throws {
        let (request, warnings) = try readOneLeniently(text)
        guard case .json(let template)? = request.body else { throw CancellationError() }
        #expect(template.text { "{{\($0)}}" } == json && warnings.isEmpty)
        #expect(request.method == "POST" && request.contentType == "application/json" && request.fields.isEmpty)
        #expect(request.parameters.allSatisfy { $0.places == [.jsonString] })
    }

    @Test func `a form may have blanks`() throws {
        let head = "POST http://h\nContent-Type: application/x-www-form-urlencoded\n\n"
        let request = try readOneLeniently("\(head)a = b c &\n {{d}} =  {{e}} f").request
        guard case .form(let items)? = request.body else { throw CancellationError() }
        #expect(items.map { $0.name.text { "{{\($0)}}" } } == ["a", "{{d}}"])
        #expect(items.map { $0.value.text { "{{\($0)}}" } } == ["b c", "{{e}} f"])
    }

    private static let form = "POST http://h\nContent-Type: multipart/form-data; boundary=\"x y\"\n\n"

    @Test(arguments: ["", "--x y--\n# end"])
    func `a form with files has parts`(end: String) throws {
        let parts = """
            --x y
            Content-Disposition: form-data; name="{{a}};b"; filename="c d"
            Content-Type: text/markdown

            < ./e.md
            --x y
            Content-Disposition: form-data; name=f

            {{g}}

            h

            """
        let request = try readOneLeniently(Self.form + parts + end).request
        guard case .multipart(let read)? = request.body else { throw CancellationError() }
        #expect(read.map { $0.name.text { "{{\($0)}}" } } == ["{{a}};b", "f"])
        #expect(read.map(\.filename?.literal) == ["c d", nil] && read.map(\.contentType) == ["text/markdown", nil])
        #expect(read.map(\.content) == [.file("./e.md"), .text(try Template("{{g}}\n\nh"))])
        #expect(request.parameters.map(\.name) == ["a", "g"])
    }

    @Test(arguments: ["\n", "\r\n"])
    func `parts that are no form are sent as they are written`(lineEnd: String) throws {
        let lines = ["--b", "Content-Type: application/http", "", "GET $1/a HTTP/1.1", "# no comment", "", "--b--"]
        let head = ["POST http://h", "Content-Type: multipart/mixed; boundary=b", ""]
        let request = try readOneLeniently((head + lines).joined(separator: lineEnd)).request
        guard case .text(let template)? = request.body else { throw CancellationError() }
        #expect(template.literal == lines.joined(separator: "\r\n"))
    }

    static let forms: [(text: String, rule: RequestFileRule)] = [
        ("x", .multipart), ("--x y\n\nz", .multipart), ("--x y--", .multipart),
        ("--x y\nContent-Disposition: form-data; name=a\nX-A: b\n\nz", .multipart),
        ("--x y\nContent-Disposition: form-data; name=a\n\n< ./b\nc", .malformedFileBody),
        ("--x y\nContent-Disposition: form-data; name=a\n\n< ./{{b}}", .malformedFileBody),
        ("--x y\nContent-Disposition: form-data; name=a\nContent-Type: {{b}}\n\nz", .variableInType),
        ("--x y\nContent-Disposition: form-data; name=a\nContent-Type: x/json\n\n{{b}}", .variableNotPossible),
        ("--x y\nContent-Disposition: form-data; name=a\nContent-Type: application/json\n\n[{{b}}", .incompleteJSON),
        ("--x y\nContent-Disposition: form-data; name=a\nContent-Type: a/b+json; c=d\n\n[{{b}},]", .malformedJSON),
    ]

    @Test(arguments: forms)
    func `a form that cannot be sent is refused`(text: String, rule: RequestFileRule) throws {
        #expect(try readLeniently(Self.form + text).failedRequests.map(\.error.rule) == [rule])
    }
}
