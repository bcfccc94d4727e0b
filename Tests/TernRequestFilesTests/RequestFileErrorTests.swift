// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles
import Testing

@Suite("What is wrong in a request file")
struct RequestFileErrorTests {
    typealias Vector = (text: String, rule: RequestFileRule, position: String)

    static let file: [Vector] = [
        ("@ = 1", .malformedVariable, "1:1"),
        ("  @a", .malformedVariable, "1:3"),
        ("@a b = 1", .malformedVariable, "1:1"),
        ("@a = 1\n@a = 2", .duplicateVariable("a"), "2:2"),
        ("@a = {{b}}\n@b = 1", .undefinedVariable("b"), "1:6"),
        ("@a = {{$guid}}", .dynamicVariable, "1:6"),
        ("@client = 1", .reservedName("client"), "1:2"),
        ("GET http://h/a\u{1}", .controlCharacter, "1:15"),
        ("GET http://h/\n\u{0}", .controlCharacter, "2:1"),
        ("GET http://h\rX: y\r\n", .controlCharacter, "1:13"),
        ("# @nmae x\nGET http://h", .unknownDirective, "1:3"),
        ("GET http://h\nA: b\n# @no-redirect\nC: d", .misplacedDirective, "3:3"),
        ("# @name a\n# @name b\nGET http://h", .duplicateDirective("name"), "2:3"),
        ("# @returns A\n# @returns B\nGET http://h", .duplicateDirective("returns"), "2:3"),
        ("# @name two words\nGET http://h", .malformedName, "1:9"),
        ("# @name 1st\nGET http://h", .malformedName, "1:9"),
        ("# @name\nGET http://h", .malformedName, "1:8"),
        ("# @name init\nGET http://h", .reservedName("init"), "1:9"),
        ("@a = 1\n### x\n# @name a\nGET http://h/{{a}}", .reservedName("a"), "4:1"),
        ("# @name a\nGET http://h\n###\n# @name a\nGET http://h", .duplicateName("a"), "4:9"),
        ("# @access private\nGET http://h", .malformedAccess, "1:3"),
        ("###\n# @access public\nGET http://h", .malformedAccess, "2:3"),
        ("###\n# @name a\n###\nGET http://h", .noRequest, "2:3"),
    ]

    static let parameters: [Vector] = [
        ("# @param\nGET http://h", .malformedParameter, "1:9"),
        ("# @param a-b: Int\nGET http://h", .malformedParameter, "1:11"),
        ("# @param a:\nGET http://h/{{a}}", .malformedType, "1:12"),
        ("# @param a: [Int\nGET http://h/{{a}}", .malformedType, "1:13"),
        ("# @param a: Set<Int>\nGET http://h/{{a}}", .malformedType, "1:13"),
        ("# @returns Array<Int>\nGET http://h", .malformedType, "1:12"),
        ("# @param a\n# @param a\nGET http://h/{{a}}", .duplicateParameter("a"), "2:10"),
        ("# @param a\nGET http://h", .unusedParameter("a"), "1:10"),
        ("@a = 1\n# @param a\nGET http://h/{{a}}", .parameterIsVariable("a"), "2:10"),
        ("# @param delegate\nGET http://h/{{delegate}}", .reservedName("delegate"), "1:10"),
        ("GET http://h/{{self}}", .reservedName("self"), "1:14"),
        ("# @name Mirror\nGET http://h", .reservedName("Mirror"), "1:9"),
        ("# @param a: Int = x\nGET http://h/{{a}}", .malformedDefault, "1:19"),
        ("# @param a: Int = 1.5\nGET http://h/{{a}}", .malformedDefault, "1:19"),
        ("# @param a: Int = nil\nGET http://h/{{a}}", .malformedDefault, "1:19"),
        ("# @param a: Int32 = 3000000000\nGET http://h/{{a}}", .malformedDefault, "1:21"),
        ("# @param a: Double = nan\nGET http://h/{{a}}", .malformedDefault, "1:22"),
        ("# @param a: Double = .5\nGET http://h/{{a}}", .malformedDefault, "1:22"),
        ("# @param a: Double = -.5\nGET http://h/{{a}}", .malformedDefault, "1:22"),
        ("# @param a: Double = 1.\nGET http://h/{{a}}", .malformedDefault, "1:22"),
        ("# @param a: Double = 1.e3\nGET http://h/{{a}}", .malformedDefault, "1:22"),
        ("# @param a: Double = 1.5e\nGET http://h/{{a}}", .malformedDefault, "1:22"),
        ("# @param a: Double = 1e-\nGET http://h/{{a}}", .malformedDefault, "1:22"),
        ("# @param a: Double = 1e.5\nGET http://h/{{a}}", .malformedDefault, "1:22"),
        ("# @param a: Bool = yes\nGET http://h/{{a}}", .malformedDefault, "1:20"),
        ("# @param a: Size = large\nGET http://h/{{a}}", .malformedDefault, "1:20"),
        ("# @param a = \"x\nGET http://h/{{a}}", .malformedDefault, "1:14"),
        ("# @param a =\nGET http://h/{{a}}", .malformedDefault, "1:13"),
        ("# @param a: Int?\nGET http://h/{{a}}", .optionalNotPossible("a"), "2:14"),
        ("# @param a: Int?\nGET http://h/?b=x{{a}}", .optionalNotPossible("a"), "2:18"),
        ("# @param a: Int?\nGET http://h/?{{a}}", .optionalNotPossible("a"), "2:15"),
        ("# @param a: Int?\nGET http://h\nX: {{a}}", .optionalNotPossible("a"), "3:4"),
        ("# @param a: [Int]\nGET http://h/?b={{a}}", .typeNotPossible("a"), "2:17"),
        ("POST http://h\nContent-Type: application/json\n\n[{{a}}]", .typeNeeded("a"), "4:2"),
        ("@a = 1\nPOST http://h\nContent-Type: application/json\n\n[{{a}}]", .quotesNeeded("a"), "5:2"),
    ]

    static let streams: [Vector] = [
        ("# @returns Values\nGET http://h", .malformedStream, "1:12"),
        ("# @returns events\nGET http://h", .malformedStream, "1:12"),
        ("# @returns values of A\nGET http://h", .malformedStream, "1:12"),
        ("# @returns Events Of A\nGET http://h", .malformedStream, "1:12"),
        ("# @returns Events A\nGET http://h", .malformedStream, "1:12"),
        ("# @returns Events: A\nGET http://h", .malformedStream, "1:12"),
        ("# @returns Events<A>\nGET http://h", .malformedStream, "1:12"),
        ("# @returns Events of\nGET http://h", .malformedStream, "1:21"),
        ("# @returns Values of  Void\nGET http://h", .malformedStream, "1:23"),
        ("# @returns Events of Data\nGET http://h", .malformedStream, "1:22"),
        ("# @returns Events of Events\nGET http://h", .malformedStream, "1:22"),
        ("# @returns Values of Array<Int>\nGET http://h", .malformedType, "1:22"),
        ("# @returns Events of A B\nGET http://h", .malformedType, "1:22"),
        ("# @returns Lines of A\nGET http://h", .malformedType, "1:12"),
        ("# @returns Events\n# @until\nGET http://h", .malformedUntil, "2:9"),
        ("# @returns Events\n# @until data\nGET http://h", .malformedUntil, "2:10"),
        ("# @returns Events\n# @until data: [DONE]\nGET http://h", .malformedUntil, "2:10"),
        ("# @returns Events\n# @until [DONE]\nGET http://h", .malformedUntil, "2:10"),
        ("# @returns Events\n# @until id 3\nGET http://h", .malformedUntil, "2:10"),
        ("# @returns Events\n# @until data a\n# @until data b\nGET http://h", .duplicateDirective("until"), "3:3"),
        ("# @until data a\nGET http://h", .untilNeedsEvents, "1:3"),
        ("# @returns Lines\n# @until data a\nGET http://h", .untilNeedsEvents, "2:3"),
        ("# @returns Values of A\n# @until data a\nGET http://h", .untilNeedsEvents, "2:3"),
        ("# @until event a\nGET wss://h", .untilNeedsEvents, "1:3"),
        ("# @returns Events\n# @reconnect always\nGET http://h", .malformedReconnect, "2:14"),
        ("# @returns Events\n# @reconnect\n# @reconnect\nGET http://h", .duplicateDirective("reconnect"), "3:3"),
        ("# @reconnect\nGET http://h", .reconnectNeedsEvents, "1:3"),
        ("# @returns Events of A\n# @reconnect\nGET http://h", .reconnectNeedsEvents, "2:3"),
        ("# @reconnect\nWEBSOCKET http://h", .reconnectNeedsEvents, "1:3"),
        ("# @returns Events\nGET wss://h", .malformedWebSocket, "1:12"),
        ("# @returns Events\n# @reconnect\nGET http://h/{{policy}}", .reservedName("policy"), "3:14"),
        (
            "# @returns Events\n# @param lastEventID\n# @reconnect\nGET http://h/{{lastEventID}}",
            .reservedName("lastEventID"), "2:10"
        ),
        ("GET http://h\n# @until data a", .misplacedDirective, "2:3"),
        ("###\n# @reconnect\n###\nGET http://h", .noRequest, "2:3"),
    ]

    static let requestLine: [Vector] = [
        ("FETCH http://h", .unknownMethod, "1:1"),
        ("GRPC h:80/x", .unknownMethod, "1:1"),
        ("CONNECT http://h", .unknownMethod, "1:1"),
        ("GET", .missingURL, "1:4"),
        ("POST HTTP/1.1", .malformedScheme, "1:6"),
        ("get http://h", .malformedScheme, "1:1"),
        ("GET /photos", .malformedScheme, "1:5"),
        ("GET ftp://h", .malformedScheme, "1:5"),
        ("GET {{a}}://h", .malformedAddressEnd("a"), "1:10"),
        ("GET http{{a}}://h", .malformedScheme, "1:5"),
        ("GET http://", .malformedHost, "1:12"),
        ("GET http:///x", .malformedHost, "1:12"),
        ("GET http://a b/", .malformedHost, "1:13"),
        ("GET http://ü/", .malformedHost, "1:12"),
        ("GET http://a%2Fb/", .malformedHost, "1:13"),
        ("GET http://a..b/", .malformedHost, "1:12"),
        ("GET http://.a", .malformedHost, "1:12"),
        ("GET http://127.1/", .malformedHost, "1:12"),
        ("GET http://1.2.3.256/", .malformedHost, "1:12"),
        ("GET http://a]/", .malformedHost, "1:12"),
        ("GET http://[::1/", .malformedHost, "1:12"),
        ("GET http://[a:b]/", .malformedHost, "1:12"),
        ("GET http://[::g]/", .malformedHost, "1:12"),
        ("GET http://h:65536/", .malformedPort, "1:12"),
        ("GET http://h:8o/", .malformedPort, "1:12"),
        ("GET http://h:1:2/", .malformedPort, "1:12"),
        ("GET http://[::1]8/", .malformedPort, "1:12"),
        ("@a = https://h:65536/x\nGET {{a}}/", .malformedPort, "2:5"),
        ("@a = https://h:+8\nGET {{a}}/", .malformedHost, "2:5"),
        ("@a = https://h!/x\nGET {{a}}/", .malformedHost, "2:5"),
        ("@p = 65536\nGET http://h:{{p}}/", .malformedPort, "2:12"),
        ("GET http://anna:pw@h/", .userInURL, "1:19"),
        ("@a = http://anna@h\nGET {{a}}/", .userInURL, "2:5"),
        ("GET http://{{a}}/", .variableInHost("a"), "1:12"),
        ("@a = x/y\nGET http://{{a}}/", .malformedHost, "2:12"),
        ("@a = example.com\nGET {{a}}/", .malformedAddress("a"), "2:5"),
        ("@a = http://h?q\nGET {{a}}/", .malformedAddress("a"), "2:5"),
        ("@a = http://h b\nGET {{a}}/", .malformedAddress("a"), "2:5"),
        ("GET {{a}}photos", .malformedAddressEnd("a"), "1:10"),
        ("GET {{a}}{{b}}", .malformedAddressEnd("a"), "1:10"),
        ("GET http://h/a b", .malformedTarget, "1:15"),
        ("GET http://h/\"a\"", .malformedTarget, "1:14"),
        ("GET http://h/a%2", .malformedTarget, "1:14"),
        ("GET http://h/a%zz", .malformedTarget, "1:16"),
        ("GET http://h/a%{{b}}", .malformedTarget, "1:16"),
        ("GET http://h/{a}", .malformedTarget, "1:14"),
        ("GET http://h/%20[a]", .malformedTarget, "1:17"),
        ("GET http://h/?a[0]=%20", .malformedTarget, "1:16"),
        ("GET http://h/a/../b", .dotSegmentInPath, "1:16"),
        ("GET http://h/.", .dotSegmentInPath, "1:14"),
        ("GET http://h/..;a=b/c", .dotSegmentInPath, "1:14"),
        ("GET http://h/%2E%2e?a", .dotSegmentInPath, "1:14"),
        ("GET http://h/a#b", .fragment, "1:15"),
        ("GET http://h#b", .fragment, "1:13"),
        ("@a = v1/x\nGET http://h/{{a}}", .valueWouldBeEncoded("a"), "2:14"),
        ("GET http://h/{{a}", .unclosedVariable, "1:14"),
        ("GET http://h/{{}}", .malformedVariableName, "1:14"),
        ("GET http://h/{{a-b}}", .malformedVariableName, "1:14"),
        ("GET http://h/{{login.response.body.id}}", .malformedVariableName, "1:14"),
        ("GET http://h/{{$timestamp}}", .dynamicVariable, "1:14"),
        ("GET http://h\n  photos", .malformedContinuation, "2:3"),
        ("GET wss://h\n\nhello", .bodyNotAllowed, "3:1"),
        ("POST wss://h", .malformedWebSocket, "1:1"),
        ("# @returns Data\nGET wss://h", .malformedWebSocket, "1:12"),
        ("# @returns WebSocket\nPOST http://h", .malformedWebSocket, "1:12"),
    ]

    static let content: [Vector] = [
        ("GET http://h\nAccept", .malformedField, "2:1"),
        ("GET http://h\n: a", .malformedField, "2:1"),
        ("GET http://h\nA b: c", .malformedField, "2:1"),
        ("GET http://h\nA : c", .blankBeforeColon, "2:2"),
        ("GET http://h\n{\"a\": 1}", .malformedField, "2:1"),
        ("GET http://h\nA: 1\na: 2", .duplicateField, "3:1"),
        ("POST http://h\nContent-Length: 3", .framingField, "2:1"),
        ("POST http://h\ntransfer-encoding: chunked", .framingField, "2:1"),
        ("GET http://h\nAuthorization: Basic anna woof", .editorAuthorization, "2:16"),
        ("GET http://h\nAuthorization: Basic anna:woof", .editorAuthorization, "2:16"),
        ("GET http://h\nAuthorization: Basic {{a}}:{{b}}", .editorAuthorization, "2:16"),
        ("GET http://h\nAuthorization: Digest {{a}}", .editorAuthorization, "2:16"),
        ("POST http://h\n\n{\"a\": \"{{a}}\"}", .typeOfBodyNeeded, "3:8"),
        ("POST http://h\nContent-Type: application/xml\n\n<a>{{a}}</a>", .variableNotPossible, "4:4"),
        ("POST http://h\nContent-Type: {{t}}\n\nx", .variableInType, "4:1"),
        ("POST http://h\nContent-Type: multipart/form-data; boundary=x\n\n--x", .multipart, "4:1"),
        ("POST http://h\nx-request-type: GraphQL\n\n{ a }", .graphQL, "2:1"),
        ("POST http://h\n\n<", .malformedFileBody, "3:1"),
        ("POST http://h\n\n<@ ./a.json", .malformedFileBody, "3:1"),
        ("POST http://h\n\n< ./{{a}}", .malformedFileBody, "3:1"),
        ("POST http://h\n\n< ./a\n\nb", .malformedFileBody, "5:1"),
        ("GET http://h\n\nhello", .bodyNotAllowed, "3:1"),
        ("TRACE http://h\n\nhello", .bodyNotAllowed, "3:1"),
        ("< {% request.variables.set('a', 1) %}\nGET http://h", .requestScript, "1:1"),
        ("POST http://h\n\na\n< {% x %}", .requestScript, "4:1"),
        ("POST http://h\n\na\n> quoted\nb", .textBehindBody, "5:1"),
        ("POST http://h\n\na\n> {%\nx\n%}\nb", .textBehindBody, "7:1"),
    ]

    static let json: [Vector] = [
        ("{\"a\": 1,}", .malformedJSON, "4:9"), ("{\"a\" 1}", .malformedJSON, "4:6"), ("{a: 1}", .malformedJSON, "4:2"),
        ("[1 2]", .malformedJSON, "4:4"), ("[1,\n 01]", .malformedJSON, "5:4"), ("[+1]", .malformedJSON, "4:2"),
        ("[tru]", .malformedJSON, "4:5"), ("\"\t\"", .malformedJSON, "4:2"), ("\"\\x\"", .malformedJSON, "4:3"),
        ("\"\\u12G4\"", .malformedJSON, "4:6"), ("[1}", .malformedJSON, "4:3"), ("1 2", .malformedJSON, "4:3"),
        ("[1]]", .malformedJSON, "4:4"), ("// x\n1", .malformedJSON, "4:1"), ("1.", .malformedJSON, "4:3"),
        ("[1{{a}}]", .malformedJSON, "4:3"), ("[{{a}}1]", .malformedJSON, "4:7"),
        ("[{{a}}{{b}}]", .malformedJSON, "4:7"),
        ("\"\\{{a}}\"", .malformedJSON, "4:3"), ("\"\\u00{{a}}\"", .malformedJSON, "4:6"),
        ("{{{a}}: 1}", .malformedVariableName, "4:1"), ("{ {{a}}: 1}", .variableAsKey("a"), "4:3"),
        ("{\"a\": 1, {{a}}: 1}", .variableAsKey("a"), "4:10"), ("[1", .incompleteJSON, "4:3"),
        ("{\"a\": \"x", .incompleteJSON, "4:9"), ("{", .incompleteJSON, "4:2"),
    ]

    static let forms: [Vector] = [
        ("a=b c", .malformedForm, "4:4"), ("a=%2", .malformedForm, "4:4"), ("a=%zz", .malformedForm, "4:4"),
        ("a=%{{b}}", .malformedForm, "4:4"), ("a=b\n&c=d e", .malformedForm, "5:5"),
    ]

    private static func behind(_ type: String, _ vectors: [Vector]) -> [Vector] {
        vectors.map { ("POST http://h\nContent-Type: \(type)\n\n\($0.text)", $0.rule, $0.position) }
    }

    static let bodies =
        behind("application/json", json) + behind("application/x-www-form-urlencoded", forms)

    @Test(arguments: file + parameters + streams + requestLine + content + bodies)
    func `each rule is told with line and column`(text: String, rule: RequestFileRule, position: String) throws {
        let failure = try #require(throws: RequestFileFailure.self) { try read(text) }
        #expect(failure.diagnostics.map(\.rule) == [rule])
        #expect(failure.diagnostics.first?.position.description == position)
        #expect(!rule.isWarning && !"\(rule)".contains("cannot be read here") && !"\(rule)".hasSuffix("."))
    }

    @Test func `what is not UTF-8 is told where it begins`() throws {
        let bytes = Array("GET http://h\n\n# é".utf8) + [0xC3, 0x28]
        let failure = try #require(throws: RequestFileFailure.self) { try RequestFile(bytes) }
        #expect(failure.diagnostics.map(\.rule) == [.notUTF8])
        #expect(failure.diagnostics.first?.position.description == "3:5")
    }

    @Test func `each limit holds`() throws {
        func rule(_ text: String) throws -> RequestFileRule? {
            try #require(throws: RequestFileFailure.self) { try read(text) }.diagnostics.first?.rule
        }
        let name = String(repeating: "a", count: RequestFileLimits.maximumNameByteCount + 1)
        #expect(try rule("# @name \(name)\nGET http://h") == .malformedName)
        #expect(try rule("GET http://h/{{\(name)}}") == .malformedVariableName)
        #expect(try rule(String(repeating: "#", count: RequestFileLimits.maximumByteCount + 1)) == .fileTooLong)
        #expect(try rule(String(repeating: "GET http://h\n###\n", count: 1001)) == .tooMany("requests"))
        let variables = (0...200).map { "@a\($0) = 1\n" }.joined()
        #expect(try rule(variables) == .tooMany("variables"))
        let parameters = (0...64).map { "{{a\($0)}}" }.joined()
        #expect(try rule("GET http://h/\(parameters)") == .tooMany("parameters"))
        let fields = (0...100).map { "\nA\($0): 1" }.joined()
        #expect(try rule("GET http://h\(fields)") == .tooMany("fields"))
        let json = "POST http://h\nContent-Type: application/json\n\n"
        #expect(try rule(json + String(repeating: "[", count: 100_000)) == .tooMany("levels of JSON"))
        #expect(try rule(json + String(repeating: "1", count: 65)) == .malformedJSON)
        let type = String(repeating: "[", count: 60) + "Int" + String(repeating: "]", count: 66)
        #expect(try rule("# @returns \(type)\nGET http://h") == .malformedType)
    }

    @Test func `variables that double each other come to an end`() throws {
        let lines = (1...60).map { "@a\($0) = {{a\($0 - 1)}}{{a\($0 - 1)}}\n" }.joined()
        let failure = try #require(throws: RequestFileFailure.self) { try read("@a0 = x\n" + lines) }
        #expect(failure.diagnostics.first?.rule == .valueTooLong)
    }
}
