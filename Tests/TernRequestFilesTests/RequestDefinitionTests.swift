// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles
import Testing

@Suite("A request of a file")
struct RequestDefinitionTests {
    static let lines: [(text: String, method: String, server: RequestDefinition.Server, target: String)] = [
        ("http://h", "GET", .address("http://h"), ""),
        ("https://h:8443/a?b=c", "GET", .address("https://h:8443"), "/a?b=c"),
        ("HTTPS://H?b", "GET", .address("HTTPS://H"), "?b"),
        ("DELETE http://[::1]:80/a HTTP/1.1", "DELETE", .address("http://[::1]:80"), "/a"),
        ("GET http://[::ffff:1.2.3.4]", "GET", .address("http://[::ffff:1.2.3.4]"), ""),
        ("GET http://1.2.3.4:65535/", "GET", .address("http://1.2.3.4:65535"), "/"),
        ("GET http://a_b.example.:/", "GET", .address("http://a_b.example.:"), "/"),
        ("QUERY http://h/größe", "QUERY", .address("http://h"), "/größe"),
        ("GET http://h\n    /a/b\n\t?c=d\n  &e=f HTTP/1.1\nX: y", "GET", .address("http://h"), "/a/b?c=d&e=f"),
        ("@host = a.example\n@port = 1\nGET http://{{host}}:{{port}}/x", "GET", .address("http://a.example:1"), "/x"),
        ("GET {{server}}", "GET", .variable("server"), ""),
        ("GET {{server}}\n  ?a", "GET", .variable("server"), "?a"),
        ("@s = https://h/v1\nGET {{ s }}/x", "GET", .variable("s"), "/x"),
        ("WEBSOCKET ws://h/x", "GET", .address("ws://h"), "/x"),
    ]

    @Test(arguments: lines)
    func `the request line is a method, an address and a target`(
        text: String,
        method: String,
        server: RequestDefinition.Server,
        target: String
    ) throws {
        let request = try readOne(text)
        #expect(request.method == method && request.server == server && request.target.literal == target)
    }

    static let places: [(text: String, places: [VariablePlace])] = [
        ("GET http://h/{{a}}", [.path]),
        ("GET http://h/x{{a}}.jpg/{{a}}", [.path, .path]),
        ("GET http://h?b={{a}}", [.query(isWhole: true)]),
        ("GET http://h?b={{a}}&c={{a}}", [.query(isWhole: true), .query(isWhole: true)]),
        ("GET http://h?b=x{{a}}", [.query(isWhole: false)]),
        ("GET http://h?b={{a}}x", [.query(isWhole: false)]),
        ("GET http://h?b={{a}}{{a}}", [.query(isWhole: false), .query(isWhole: false)]),
        ("GET http://h?{{a}}=b", [.query(isWhole: false)]),
        ("GET http://h?b==&c=={{a}}", [.query(isWhole: false)]),
        ("GET http://h\nX: a {{a}}", [.field]),
        ("POST http://h\nContent-Type: text/plain; charset=utf-8\n\n{{a}}", [.text]),
        ("POST http://h\nContent-Type: application/x-www-form-urlencoded\n\n{{a}}={{a}}", [.form, .form]),
        ("# @param a: Int\nPOST http://h\nContent-Type: application/json\n\n{\"b\": {{a}}}", [.jsonValue]),
        (
            "POST http://h\nContent-Type: application/problem+json\n\n{\"{{a}}\": \"x{{a}}\"}",
            [.jsonString, .jsonString]
        ),
        ("# @param a: Int\nPOST http://h/{{a}}\nContent-Type: APPLICATION/JSON\n\n{{a}}", [.path, .jsonValue]),
    ]

    @Test(arguments: places)
    func `a variable knows what it stands for`(text: String, places: [VariablePlace]) throws {
        let request = try readOne(text)
        #expect(request.parameters.map(\.name) == ["a"])
        #expect(request.parameters.first?.places == places)
    }

    @Test func `parameters have types, defaults and meanings`() throws {
        let request = try readOne(
            """
            # @param a: Int = -3 how many
            # @param b = "two \\"words\\""
            # @param c: Double = 1e3
            # @param d:Bool=true - whether
            # @param e: String? - what
            # @param f: Int? = nil
            # @param g: Size
            # @param h just text
            GET http://h/{{z}}/{{a}}/{{b}}/{{c}}/{{d}}/{{g}}/{{h}}?e={{e}}&f={{f}}
            """
        )
        #expect(request.parameters.map(\.name) == ["a", "b", "c", "d", "e", "f", "g", "h", "z"])
        let types = ["Int", "String", "Double", "Bool", "String?", "Int?", "Size", "String", "String"]
        #expect(request.parameters.map(\.type.text) == types)
        let defaults: [Parameter.DefaultValue?] = [
            .number("-3"), .text("two \"words\""), .number("1e3"), .bool(true), .null, .null, nil, nil, nil,
        ]
        #expect(request.parameters.map(\.defaultValue) == defaults)
        let meanings = ["how many", nil, nil, "whether", "what", nil, nil, "just text", nil]
        #expect(request.parameters.map(\.documentation) == meanings)
    }

    static let results: [(text: String, result: RequestDefinition.ResultKind)] = [
        ("GET http://h", .data), ("# @returns Data\nGET http://h", .data), ("# @returns Void\nGET http://h", .void),
        ("# @returns Lines\nGET http://h", .lines), ("GET ws://h", .webSocket), ("GET WSS://h", .webSocket),
        ("@s = wss://h\nGET {{s}}/x", .webSocket), ("# @returns WebSocket\nGET {{s}}/x", .webSocket),
        ("WEBSOCKET http://h", .webSocket),
    ]

    @Test(arguments: results)
    func `a request says what it gives, or its scheme does`(text: String, result: RequestDefinition.ResultKind) throws {
        #expect(try readOne(text).result == result)
    }

    static let streams: [(text: String, result: RequestDefinition.ResultKind)] = [
        ("# @returns Events\nGET http://h", .events),
        ("#@returns  Events \t\nPOST http://h", .events),
        ("# @returns Events\n# @reconnect\nGET http://h", .reconnectingEvents),
        ("// @reconnect\n// @returns Events\nGET http://h", .reconnectingEvents),
    ]

    @Test(arguments: streams)
    func `a request may give a stream of events`(text: String, result: RequestDefinition.ResultKind) throws {
        let request = try readOne(text)
        #expect(request.result == result && request.finalEvent == nil)
    }

    @Test(arguments: ["Photo", "[Photo]", "Photo?", "[String:Int]", "Events.Page", "[Data]"])
    func `a stream may be decoded`(text: String) throws {
        let type = try #require(TypeName(text))
        #expect(try readOne("# @returns Events of \(text)\nGET http://h").result == .decodedEvents(type))
        #expect(try readOne("# @returns  Values \t of   \(text) \nGET http://h").result == .decodedRecords(type))
    }

    @Test(arguments: ["Events.Page", "EventsPage", "[Events]", "Values.Page", "Values_", "LinesOfText"])
    func `a type may have a name that begins like that of a stream`(text: String) throws {
        #expect(try readOne("# @returns \(text)\nGET http://h").result == .value(try #require(TypeName(text))))
    }

    static let ends: [(text: String, rule: RequestDefinition.FinalEventRule)] = [
        ("data [DONE]", .data("[DONE]")), (" data \t \"a\"  b\t", .data("\"a\"  b")), ("data {{a}}", .data("{{a}}")),
        ("event stop", .event(["stop"])), ("event a.done \t b.failed c", .event(["a.done", "b.failed", "c"])),
        ("data event", .data("event")), ("event data", .event(["data"])),
    ]

    @Test(arguments: ends)
    func `a stream of events may have a last event`(text: String, rule: RequestDefinition.FinalEventRule) throws {
        #expect(try readOne("# @returns Events\n# @until \(text)\nGET http://h").finalEvent == rule)
        #expect(try readOne("# @until \(text)\n# @returns Events of A\nGET http://h").finalEvent == rule)
        #expect(try readOne("# @reconnect\n# @until \(text)\n# @returns Events\nGET http://h").finalEvent == rule)
    }

    @Test func `only a method that connects again needs further names`() throws {
        let request = "# @returns Events\nGET http://h/{{lastEventID}}?{{policy}}"
        #expect(try readOne("@policy = 1\n\(request)").parameters.map(\.name) == ["lastEventID"])
        // A variable of the file is a property, so its name does not matter.
        let variables = "@policy = 1\n@lastEventID = 2\n# @reconnect"
        #expect(try readOne("\(variables)\n\(request)").parameters.isEmpty)
    }

    @Test(arguments: ["Photo", "[Photo]", "Photo?", "[String:Int]", "[[A.B]?]", "API.Photo_2"])
    func `a type is a name, a list, a dictionary or an optional`(text: String) throws {
        #expect(try readOne("# @returns \(text)\nGET http://h").result == .value(try #require(TypeName(text))))
    }

    @Test(arguments: ["", "?", "[]", "[Int", "Int]", "Int??", "A B", "A<B>", "1A", "A.", ".A", "[A:B:C]", "A;x()"])
    func `what is no type is none`(text: String) {
        #expect(TypeName(text) == nil)
    }

    @Test func `a body ends before empty lines, and keeps those within`() throws {
        let text = "POST http://h\nContent-Type: text/plain\n\n\n  a \n\nb\n\n\n"
        for end in ["\n", "\r\n"] {
            let request = try readOne(text.replacing("\n", with: end))
            guard case .text(let template)? = request.body else { throw CancellationError() }
            #expect(template.literal == "  a \n\nb")
        }
    }

    @Test func `a body may be a file, XML, or a type that nobody says`() throws {
        #expect(try readOne("PUT http://h\nContent-Type: image/jpeg\n\n< ./a b.jpg ").body == .file("./a b.jpg"))
        #expect(try readOne("PUT http://h\nContent-Type: image/jpeg\n\n< ./a.jpg").contentType == "image/jpeg")
        #expect(try readOne("PUT http://h\n< ./a.jpg").body == .file("./a.jpg"))
        #expect(try readOne("PUT http://h\n\n<?xml?><a/>").body == .text(try Template("<?xml?><a/>")))
        #expect(try readOne("PUT http://h\n\nx").contentType == nil)
    }

    @Test func `a form is decoded, over several lines`() throws {
        let request = try readOne(
            "POST http://h\nContent-Type: application/x-www-form-urlencoded\n\na+b=%C3%BC%26\n  &c={{d}}&\ne&&=f"
        )
        guard case .form(let items)? = request.body else { throw CancellationError() }
        #expect(items.map(\.name.literal) == ["a b", "c", "e", ""])
        #expect(items.map(\.value.literal) == ["ü&", nil, "", "f"])
    }

    @Test func `fields may have variables, and comments between them`() throws {
        let request = try readOne(
            "GET http://h\nX:a  b\t\n# a comment\n// another\nAuthorization: Bearer {{token}}\nY:"
        )
        #expect(request.fields.map(\.name) == ["X", "Authorization", "Y"])
        #expect(request.fields.map(\.value.literal) == ["a  b", nil, ""])
        #expect(request.fields[1].value.pieces == [.text("Bearer "), .variable("token")])
        #expect(try readOne("GET http://h\nAuthorization: Basic {{token}}").parameters.count == 1)
    }

    @Test func `redirects may be refused`() throws {
        #expect(try readOne("# @no-redirect\nGET http://h").followsRedirects == false)
        #expect(try readOne("GET http://h").followsRedirects)
    }
}
