// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation
import TernRequestFiles
import Testing

@testable import TernCommand

@Suite("tern-cli run")
struct RequestFileRunTests {
    private static let text = """
        @base = http://h/api
        @token = demo
        ### Fetch
        # @name fetch
        # @param id: Int
        # @param half: Double?
        # @returns Photo
        GET {{base}}/photos/{{id}}?half={{half}}
        Authorization: Bearer {{token}}

        ### Add
        # @name add
        # @param tags: [String]
        # @param isPublic: Bool = true
        POST {{base}}/photos
        Content-Type: application/json

        {"title": "{{title}}", "tags": {{tags}}, "isPublic": {{isPublic}}}

        ### Store
        # @name store
        PUT {{server}}/x
        Content-Type: image/jpeg

        < ./dog.jpg

        ###
        GET http://h/unnamed
        """

    private func run(_ name: String?, _ variables: String...) throws -> RequestFileRun {
        let file = try RequestFile(Array(Self.text.utf8))
        let arguments = try variables.map { try #require(VariableArgument(argument: $0)) }
        return try RequestFileRun(file, name: name, arguments, folder: URL(filePath: "/somewhere/"))
    }

    private func request(_ name: String, _ variables: String...) throws -> Request {
        let file = try RequestFile(Array(Self.text.utf8))
        let arguments = try variables.map { try #require(VariableArgument(argument: $0)) }
        let run = try RequestFileRun(file, name: name, arguments, folder: URL(filePath: "/somewhere/"))
        return try #require(run.bindings.first).request
    }

    private func failure(_ name: String?, _ variables: String...) throws -> String {
        let file = try RequestFile(Array(Self.text.utf8))
        let arguments = try variables.map { try #require(VariableArgument(argument: $0)) }
        let failure = try #require(throws: CommandFailure.self) {
            try RequestFileRun(file, name: name, arguments, folder: URL(filePath: "/somewhere/"))
        }
        #expect(failure.outcome == .usage)
        return failure.message
    }

    @Test func `a request has the values that were typed, or those of the file`() throws {
        let fetch = try self.request("fetch", "id=3")
        #expect(fetch.url.absoluteString == "http://h/api/photos/3")
        #expect(fetch.fields[.authorization] == "Bearer demo")
        #expect(fetch.fields[.accept] == "application/json")
        let other = try self.request("fetch", "id=-4", "half=0.5", "token=", "base=https://i")
        #expect(other.url.absoluteString == "https://i/photos/-4?half=0.5")
        #expect(other.fields[.authorization] == "Bearer")  // in HTTP, white space at the end is not part of a value
    }

    @Test func `values are of their types`() throws {
        let add = try self.request("add", "title=a\"b", "tags=[\"x\", \"y/z\"]", "isPublic=false")
        guard case .data(let data)? = add.body?.content else { throw CancellationError() }
        #expect(String(decoding: data, as: UTF8.self) == #"{"title": "a\"b", "tags": ["x","y/z"], "isPublic": false}"#)
        #expect(try self.failure("fetch", "id=x") == "the value of id is not a valid Int")
        #expect(try self.failure("fetch", "id=1", "half=nan") == "the value of half is not a valid Double?")
        #expect(try self.failure("add", "title=x", "tags=x") == "the value of tags is not a valid [String]")
        #expect(
            try self.failure("add", "title=x", "tags=[", "isPublic=1") == "the value of tags is not a valid [String]"
        )
    }

    /// Returns the text that the command sends for `{{n}}` in JSON, if the type of `n` is unknown.
    private func sent(_ type: String, _ value: String) throws -> String {
        let text = "# @param n: \(type)\nPOST http://h\nContent-Type: application/json\n\n{\"n\": {{n}}}"
        let argument = try #require(VariableArgument(argument: "n=\(value)"))
        let run = try RequestFileRun(
            try RequestFile(Array(text.utf8)),
            name: nil,
            [argument],
            folder: URL(filePath: "/somewhere/")
        )
        guard case .data(let data)? = try #require(run.bindings.first).request.body?.content else {
            throw CancellationError()
        }
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `a number is sent as the generated code sends it`() throws {
        func generated(_ value: some Encodable) throws -> String {
            let request = Request(.post, "http://h").body(jsonText: #"{"n": \#(value)}"#)
            guard case .data(let data)? = request.body?.content else { throw CancellationError() }
            return String(decoding: data, as: UTF8.self)
        }
        #expect(try self.sent("UInt64", "18446744073709551615") == generated(UInt64.max))
        #expect(try self.sent("Int128", "18446744073709551616") == #"{"n": 18446744073709551616}"#)
        for text in ["0.1234567890123456789012345678", "12345678901234567890.123", "-0.5"] {
            let value = try #require(Decimal(string: text))
            #expect(try self.sent("Decimal", text) == generated(value))
            #expect(try self.sent("[Decimal]", "[\(text)]") == generated([value]))
            #expect(try self.sent("Price", #"{"b": "1.10\"2", "a": \#(text)}"#).hasSuffix(#","b":"1.10\"2"}}"#))
        }
        #expect(try self.sent("[Double]", "[1.50, 1e300, 15e-1, 0.0, 1E2]") == generated([1.5, 1e300, 1.5, 0, 100]))
    }

    @Test(arguments: [
        "0.12345678901234567890123456789012345678901", "1.2345678901234567890e300", "1e400", "1e-9223372036854775808",
        #"{"a": [1, {"b": 1.2345678901234567890e300}]}"#, #"{"a": 1, "a": 2}"#,
    ])
    func `a number that would be sent as another is refused`(value: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try self.sent("Decimal", value) }
        #expect(failure.outcome == .usage && failure.message == "the value of n is not a valid Decimal")
    }

    @Test func `what leads elsewhere is a problem of the request`() throws {
        // A person who types the address may choose any path.
        #expect(try self.request("store", "server=http://h/..").problem == nil)
        #expect(
            try self.request("fetch", "id=1", "token=a\r\nb").problem == .malformedFieldValue(name: "Authorization")
        )
    }

    @Test func `a body may come from a file, which is beside the other, or is typed`() throws {
        guard case .file(let url)? = try self.request("store", "server=http://h").body?.content else {
            throw CancellationError()
        }
        #expect(url.standardizedFileURL.path == "/somewhere/dog.jpg")
        guard case .file(let other)? = try self.request("store", "server=http://h", "file=/cat.jpg").body?.content
        else {
            throw CancellationError()
        }
        #expect(other.standardizedFileURL.path == "/cat.jpg")
    }

    @Test func `all requests are sent in order, unless one is named`() throws {
        let run = try self.run(nil, "id=1", "title=x", "tags=[]", "server=http://i")
        #expect(run.bindings.map(\.definition.name) == ["fetch", "add", "store", nil])
        #expect(try self.run("add", "title=x", "tags=[]").bindings.count == 1)
    }

    @Test func `what is missing is named, all at once`() throws {
        #expect(try self.failure("fetch") == "there is no value for id; use --var id=…")
        let list = "id, tags, title, server"
        let all = "there is no value for \(list); use --var id=… --var tags=… --var title=… --var server=…"
        #expect(try self.failure(nil) == all)
    }

    @Test func `what nobody asks for is refused, with what there is`() throws {
        #expect(
            try self.failure("fetch", "idd=3")
                == "the requests to send have no variable idd; the variables are id, half, base, token"
        )
        #expect(
            try self.failure("add", "id=3")
                == "the requests to send have no variable id; the variables are tags, isPublic, title, base"
        )
        #expect(try self.failure("fetch", "id=1", "id=2") == "--var id is given twice")
        #expect(try self.failure("find") == "no request has the name find; the names are fetch, add, store")
    }

    @Test(arguments: [
        ([], "http://h:80/x"), (["port=81"], "http://h:81/x"), (["all=i"], "http://i/x"), (["host=i/y"], nil),
    ])
    func `a variable in the host may have another value`(arguments: [String], url: String?) throws {
        let text = "@host = h\n@port = 80\n@all = {{host}}:{{port}}\nGET http://{{all}}/x"
        let file = try RequestFile(Array(text.utf8), for: .sending)
        let run = try RequestFileRun(
            file,
            name: nil,
            arguments.compactMap { VariableArgument(argument: $0) },
            folder: URL(filePath: "/somewhere/")
        )
        let binding = try #require(run.bindings.first)
        guard let url else {
            #expect(throws: CommandFailure.self) { try binding.checkServer() }
            return
        }
        try binding.checkServer()
        #expect(binding.request.url.absoluteString == url)
    }

    // MARK: Forms of other editors

    /// Returns the first request of a file with the forms of other editors.
    private func binding(_ text: String, _ variables: String...) throws -> RequestBinding {
        let file = try RequestFile(Array(text.utf8), for: .sending)
        let arguments = try variables.map { try #require(VariableArgument(argument: $0)) }
        let run = try RequestFileRun(file, name: nil, arguments, folder: URL(filePath: "/somewhere/"))
        return try #require(run.bindings.first)
    }

    private func body(of request: Request) throws -> String {
        guard case .data(let data)? = request.body?.content else { throw CancellationError() }
        return String(decoding: data, as: UTF8.self)
    }

    @Test(arguments: [
        ("application/xml", "&amp;&lt;&gt;&quot;&#39;"), ("text/html; charset=utf-8", "&amp;&lt;&gt;&quot;&#39;"),
        ("text/plain", "&<>\"'"),
    ])
    func `a value is escaped in XML and HTML, and in no other text`(type: String, value: String) throws {
        let text = "POST http://h\nContent-Type: \(type)\n\n<a b=\"{{c}}\"/>"
        #expect(try self.body(of: self.binding(text, "c=&<>\"'").request) == "<a b=\"\(value)\"/>")
    }

    @Test(arguments: ["", "@d = {{$randomInt 1 2}}\n"])
    func `a value is escaped in XML, though a parameter of the media type is a variable`(definition: String) throws {
        let text = "\(definition)POST http://h\nContent-Type: application/xml; charset={{d}}\n\n<a>{{c}}</a>"
        let request = try self.binding(text, "c=<b/>", "d=utf-8").request
        #expect(try self.body(of: request) == "<a>&lt;b/&gt;</a>")
        #expect(request.effectiveFields[values: .contentType] == ["application/xml; charset=utf-8"])
    }

    @Test func `a variable without a value is an error in a media type, too`() throws {
        let text = "POST http://h\nContent-Type: application/xml; charset={{d}}\n\n<a>{{c}}</a>"
        let failure = try #require(throws: CommandFailure.self) { try self.binding(text, "c=x") }
        #expect(failure.outcome == .usage && failure.message == "there is no value for d; use --var d=…")
    }

    @Test func `a form with files has the parts of the file, and its own boundary`() throws {
        let text = """
            POST http://h
            Content-Type: multipart/form-data; boundary=x

            --x
            Content-Disposition: form-data; name="{{a}}"

            {{b}} c
            --x
            Content-Disposition: form-data; name=d; filename="e f"
            Content-Type: text/markdown

            < ./g.md
            --x--
            """
        let request = try self.binding(text, "a=n", "b=1").request
        guard case .multipart(let form)? = request.body?.content else { throw CancellationError() }
        #expect(form.parts.map(\.name) == ["n", "d"] && form.parts.map(\.filename) == [nil, "e f"])
        #expect(form.parts.map(\.contentType) == [nil, "text/markdown"])
        #expect(form.parts.first?.content == .data(Data("1 c".utf8)))
        guard case .file(let url)? = form.parts.last?.content else { throw CancellationError() }
        #expect(url.standardizedFileURL.path == "/somewhere/g.md")
        #expect(request.effectiveFields[values: .contentType] == [form.contentType])
    }

    static let parts: [(type: String, text: String, sent: String)] = [
        ("text/plain", "<{{v}}>", "<&\"<>"), ("Application/XML; charset=utf-8", "<{{v}}/>", "<&amp;&quot;&lt;/>"),
        ("text/html", "{{v}}", "&amp;&quot;&lt;"), ("application/json", "{\"a\": \"{{v}}\"}", #"{"a": "&\"<"}"#),
        ("application/vnd.a+json", "[{{n}}, \"{{v}}\"]", #"[[1], "&\"<"]"#), ("x/y", "&{", "&{"),
    ]

    @Test(arguments: parts)
    func `a value in a part of a form is escaped for its type`(type: String, text: String, sent: String) throws {
        let head = "POST http://h?a={{n}}&b={{v}}\nContent-Type: multipart/form-data; boundary=x\n\n--x\n"
        let fields = "Content-Disposition: form-data; name=a\nContent-Type: \(type)\n\n"
        let request = try self.binding("\(head)\(fields)\(text)\n--x--", "v=&\"<", "n=[1]").request
        #expect(try self.body(of: request).contains("\r\n\r\n\(sent)\r\n--"))
    }

    @Test func `a request that is switched off is not sent`() throws {
        let text = "# @name off\n# @disabled\nGET http://h/a\n\n###\n# @name on\nGET http://h/b"
        let file = try RequestFile(Array(text.utf8), for: .sending)
        func run(_ name: String?) throws -> RequestFileRun {
            try RequestFileRun(file, name: name, [], folder: URL(filePath: "/somewhere/"))
        }
        #expect(try run(nil).bindings.map(\.definition.name) == ["on"])
        let failure = try #require(throws: CommandFailure.self) { try run("off") }
        #expect(failure.outcome == .usage && failure.message.hasPrefix("the request off is switched off;"))
    }

    @Test func `a number that is computed stays a number in JSON`() throws {
        let text = "POST http://h\nContent-Type: application/json\n\n{\"a\": {{$timestamp}}}"
        var evaluator = ExpressionEvaluator(memory: ExchangeMemory([]), folder: URL(filePath: "/somewhere/"))
        evaluator.now = 1_800_000_000_123
        let request = try self.binding(text).resolved(by: evaluator).request
        #expect(try self.body(of: request) == #"{"a": 1800000000}"#)
    }

    @Test func `a body of more than 1 MiB is not kept for later requests`() throws {
        let definition = try self.binding("# @name a\nGET http://h").definition
        guard case .message(let reference)? = ValueExpression("a.response.body") else { throw CancellationError() }
        let memory = ExchangeMemory(["a"])
        memory.begin(definition, Request(.get, "http://h"), [:])
        memory.append(Data(count: 1 << 20), to: definition)
        #expect(try memory.value(reference).text?.utf8.count == 1 << 20)
        memory.append(Data(count: 1), to: definition)
        let failure = try #require(throws: CommandFailure.self) { try memory.value(reference) }
        #expect(failure.outcome == .usage && failure.message.contains("is longer than 1 MiB"))
    }

    @Test func `a variable is a name, an equals sign and anything`() {
        #expect(VariableArgument(argument: "a=b=c")?.value == "b=c")
        #expect(VariableArgument(argument: "a=")?.value == "")
        #expect(VariableArgument(argument: "a") == nil)
        #expect(VariableArgument(argument: "=a") == nil)
    }

    @Test func `options are read`() throws {
        let command = try RunCommand.parse([
            "a.http", "--name", "x", "--var", "a=1", "--var", "b=2", "--report", "json", "-i",
        ])
        #expect(command.file == "a.http" && command.name == "x" && command.json && command.body.include)
        #expect(command.variables.map(\.name) == ["a", "b"])
        #expect(throws: (any Error).self) { try RunCommand.parse(["a.http", "--var", "a"]) }
        #expect(throws: (any Error).self) { try RunCommand.parse(["a.http", "--limit", "0"]) }
        #expect(throws: (any Error).self) { try RunCommand.parse([]) }
    }

    @Test func `the list says what each request needs`() throws {
        let file = try RequestFile(Array(Self.text.utf8))
        #expect(
            RequestFileList.text(file) == """
                fetch  GET {{base}}/photos/{{id}}?half={{half}}  (id: Int, half: Double? = …)
                add    POST {{base}}/photos  (tags: [String], isPublic: Bool = …, title: String)
                store  PUT {{server}}/x  (file)
                -      GET http://h/unnamed

                """
        )
    }
}
