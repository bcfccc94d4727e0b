// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles
import Testing

@Suite("A request in the form of another editor")
struct LenientRequestTests {
    static let lines: [(text: String, url: String, warning: String?)] = [
        ("get http://h/a", "GET http://h/a", "the method is sent in capital letters"),
        ("Post http://h", "POST http://h", "the method is sent in capital letters"),
        ("PROPFIND http://h/a", "PROPFIND http://h/a", "the plug-in TernEndpoints does not support this method"),
        ("GET localhost:8080/a", "GET http://localhost:8080/a", "the URL has no scheme"),
        ("localhost", "GET http://localhost", "the URL has no scheme"),
        ("GET http:localhost:3000/a", "GET http://localhost:3000/a", "the URL has no scheme"),
        ("GET http://h/a b?c=\"d\"", "GET http://h/a%20b?c=%22d%22", "this character must not stand in a URL"),
        ("GET http://h/?a[0]=100%", "GET http://h/?a%5B0%5D=100%25", "this character must not stand in a URL"),
        ("GET http://h/a#b", "GET http://h/a", "a client never sends '#'"),
        ("GET http://h/a  # b", "GET http://h/a", "a client never sends '#'"),
        ("GET http://h # b", "GET http://h", "a client never sends '#'"),
        ("@p = v1/x\nGET http://h/{{p}}/y", "GET http://h/v1/x/y", "the '/', '?' and '#' in the value of 'p'"),
        ("GET http://{{host}}:{{port}}/a", "GET http://{{host}}:{{port}}/a", nil),
        ("GET {{scheme}}://{{host}}/a", "GET {{scheme}}://{{host}}/a", nil),
        ("@h = h:80\nGET {{h}}/a", "GET {{h}}/a", "the URL has no scheme"),
        ("GET {{base}}photos", "GET {{base}}photos", nil),
        ("@a.b-c = http://h\nGET {{a.b-c}}/a", "GET {{a.b-c}}/a", "the plug-in TernEndpoints does not accept '.'"),
        ("GET /a\nHost: h.example", "GET http://h.example/a", nil),
        ("GET /a\nHost: {{server}}", "GET {{server}}/a", nil),
        ("GET /a", "GET {{host}}/a", nil),
        ("GET http://h/a b\n?c=d\n&e=f", "GET http://h/a%20b?c=d&e=f", "this character must not stand in a URL"),
        ("GET http://h\n  /a b\n  # &c=d\n  &e", "GET http://h/a%20b&e", "this character must not stand in a URL"),
        ("GET http://h\n  /a\n  b{{c}}\n  {{d}}", "GET http://h/ab{{c}}{{d}}", nil),
        ("< {% x() %}\n# a comment\nGET http://h", "GET http://h", "Tern does not run scripts, and sends"),
        ("< ./x.js\nGET http://h", "GET http://h", "Tern does not run scripts, and sends"),
        ("GET http://h\n?? status == 200", "GET http://h", "Tern does not run scripts, and ignores this one"),
        ("{{\n  x()\n}}\nGET http://h", "GET http://h", "Tern does not run scripts, and sends"),
        ("# @timeout 600\nGET http://h", "GET http://h", "Tern does not know '@timeout', and ignores it"),
        ("# @no-cookie-jar\nGET http://h", "GET http://h", "Tern does not know '@no-cookie-jar', and ignores it"),
        ("# @author x\nGET http://h", "GET http://h", "Tern does not know '@author', and ignores it"),
        ("# @port = 443\nGET http://h", "GET http://h", nil),
        ("GET http://h\n# @author x", "GET http://h", "directives must come before the request line; Tern ignores"),
        ("# @name Get it\nGET http://h", "GET http://h", "the plug-in TernEndpoints does not accept this name"),
        ("@a = 1\n@a = http://h\nGET {{a}}/b", "GET {{a}}/b", "the variable 'a' is defined twice, and its last"),
        ("@client = http://h\nGET {{client}}/{{self}}", "GET {{client}}/{{self}}", nil),
        ("GET http://h/{{$guid}}", "GET http://h/{{$guid}}", nil),
        ("GET http://h/{{$processEnv KEY}}", "GET http://h/{{$processEnv KEY}}", "the environment variable 'KEY'"),
        ("GET http://h/{{login.response.body.$.id}}", "GET http://h/{{login.response.body.$.id}}", nil),
        ("GET http://h/{{login.request.body.$.id}}", "GET http://h/{{login.request.body.$.id}}", nil),
        ("GET http://h\nA  : b", "GET http://h", "the blank before the colon is left out"),
    ]

    @Test(arguments: lines)
    func `a request line is read, with a warning`(text: String, url: String, warning: String?) throws {
        let (request, warnings) = try readOneLeniently(text)
        #expect("\(request.method) \(request.urlText)" == url)
        #expect(warnings.count == (warning == nil ? 0 : 1), "\(warnings)")
        if let warning { #expect(warnings.first?.hasPrefix(warning) == true, "\(warnings)") }
    }

    static let refused: [(text: String, rule: RequestFileRule)] = [
        ("FETCH http://h", .unknownMethod), ("GET ftp://h", .malformedScheme), ("GET http://a b/", .malformedHost),
        ("GET http://anna:pw@h/", .userInURL), ("GET http://h:65536/", .malformedPort),
        ("GET http://h/a/../b", .dotSegmentInPath), ("@p = ../x\nGET http://h/{{p}}/y", .dotSegmentInPath),
        ("GET http://h/{{$random.email}}", .dynamicVariable), ("GET http://h/{{a b}}", .malformedVariableName),
        ("GET http://h/{{a.response.body.//x}}", .malformedVariableName),
        ("@h = a/b?c\nGET http://{{h}}x/", .malformedHost),
        ("get http://h\nTransfer-Encoding: chunked", .framingField), ("TRACE http://h\n\nhello", .bodyNotAllowed),
        ("get http://h\n# @no-redirect", .misplacedDirective), ("get http://h\nA b: c", .malformedField),
        ("get http://h\nAuthorization: a\nAuthorization: b", .duplicateField),
        ("@a = Transfer-Encoding: chunked\nget http://h\n{{a}}", .framingField),
        ("@a = Authorization: b\nget http://h\nAuthorization: c\n{{a}}", .duplicateField),
        ("get http://h\nAuthorization: Digest username=\"a\", realm=\"b\"", .editorAuthorization),
    ]

    @Test(arguments: refused)
    func `what has no clear meaning is refused`(text: String, rule: RequestFileRule) throws {
        let file = try readLeniently(text)
        #expect(file.requests.isEmpty && file.failedRequests.map(\.error.rule) == [rule])
    }

    @Test func `a form that is forgiven often is told once`() throws {
        let file = try readLeniently("GET h/a b\nX: 1\nX: 2\nX: 3\n###\n# @a\n# @a\n# @b\nGET http://h")
        #expect(
            file.warnings.map(\.description) == [
                "1:5: warning: the URL has no scheme with '://', and is read with http://",
                "1:8: warning: this character must not stand in a URL, and is percent-encoded",
                "3:1: warning: this field occurs twice, and its values are sent as one field",
                "6:3: warning: Tern does not know '@a', and ignores it",
                "7:3: warning: Tern does not know '@a', and ignores it",
                "8:3: warning: Tern does not know '@b', and ignores it",
            ]
        )
        #expect(file.requests.first?.fields.first?.value.literal == "1, 2, 3")
    }

    @Test func `a variable may stand inside of a request`() throws {
        let file = try readLeniently("GET http://h/{{b}}\n\n@b = 2\n\n###\n@b = 1\nPOST http://h\nX: y\n@c = {{b}}\n")
        #expect(file.variables.map(\.name) == ["b", "c"] && file.variables.map(\.value) == ["1", "1"])
        #expect(file.requests.count == 2 && file.requests.allSatisfy { $0.body == nil })
    }

    @Test func `a request line after an empty line begins a request`() throws {
        let text = "GET http://h/a\n\nGET http://h/b\nX: y\n\n// end\nPOST {{c}}/d\n\nbody\nGET http://h/e"
        let file = try readLeniently(text)
        #expect(file.requests.map(\.urlText) == ["http://h/a", "http://h/b", "{{c}}/d"])
        #expect(file.warnings.map(\.rule) == [.missingSeparator, .commentInBody, .missingSeparator])
        // In plain text, every line may be meant.
        let plain = try readLeniently("post http://h/a\nContent-Type: text/plain\n\nx\n\nGET http://h/b\n@c = d")
        #expect(plain.requests.map(\.body) == [.text(try Template("x\n\nGET http://h/b\n@c = d"))])
    }

    @Test(arguments: [
        ("@a = X-Dog: Biscuit", "{{a}}", "X-Dog=Biscuit"),
        ("@b = Bis\n@a = X-Dog: {{b}}cuit", "{{ a }} ", "X-Dog=Biscuit"),
        ("@a = X-Dog: Biscuit", "A: b\n{{a}}\nC: d", "A=b X-Dog=Biscuit C=d"),
        ("@a = http://h", "A: b\n{{a}}", "A=b"), ("@a = Biscuit: the dog\n@b = ", "A: b\n{{b}}", "A=b"),
        ("@b = c", "A: b\n{{a}}", "A=b"), ("@a = two words: b", "A: b\n{{a}}", "A=b"),
    ])
    func `a variable alone on a line may be a field`(variables: String, lines: String, fields: String) throws {
        let (request, _) = try readOneLeniently("\(variables)\npost http://h\n\(lines)\n")
        #expect(request.fields.map { "\($0.name)=\($0.value.literal ?? "")" }.joined(separator: " ") == fields)
    }

    @Test func `a user and a password are kept for a credential`() throws {
        for value in ["Basic anna woof", "basic anna:woof", "Basic  anna   woof"] {
            let (request, warnings) = try readOneLeniently("GET http://h\nAuthorization: \(value)")
            #expect(request.signIn?.scheme == .basic && request.fields.isEmpty && warnings.isEmpty)
            #expect(request.signIn?.user.literal == "anna" && request.signIn?.password.literal == "woof")
        }
        let digest = try readOneLeniently("GET http://h\nAuthorization: Digest {{user}} {{password}} x").request
        #expect(digest.signIn?.scheme == .digest && digest.parameters.map(\.name) == ["user", "password"])
        #expect(digest.signIn?.password.pieces == [.variable("password"), .text(" x")])
        let encoded = try readOneLeniently("GET h\nAuthorization: Basic YTpi").request
        #expect(encoded.signIn == nil && encoded.fields.first?.value.literal == "Basic YTpi")
    }

    @Test func `a request may be switched off`() throws {
        #expect(try readOneLeniently("# @disabled\nGET http://h").request.isDisabled)
        #expect(try !readOneLeniently("GET http://h").request.isDisabled)
    }

    @Test func `two requests may have a name`() throws {
        let file = try readLeniently("# @name a\nGET http://h/1\n###\n# @name a\nGET http://h/2")
        #expect(file.requests.count == 2 && file.request(named: "a")?.target.literal == "/1")
        #expect(file.warnings.map(\.rule) == [.duplicateName("a")] && file.warnings.allSatisfy(\.isWarning))
    }
}
