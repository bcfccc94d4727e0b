// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles
import Testing

@Suite("A request file")
struct RequestFileTests {
    static let photos = """
        # The photos of a service.
        # @access public
        @host = localhost:8080
        @baseURL = http://{{host}}/api

        ### Fetch a photo
        # What is known of it.
        # @name fetchPhoto
        # @param id: Int the number of the photo
        # @returns Photo
        GET {{baseURL}}/photos/{{id}} HTTP/1.1
        Accept: application/json

        ###
        // Adds a photo.
        // @name addPhoto
        POST {{ baseURL }}/photos
        Content-Type: application/json

        {"title": "{{title}}"}

        """

    @Test(arguments: ["\n", "\r\n"])
    func `variables, comments and requests are read, whatever ends a line`(end: String) throws {
        let file = try read(Self.photos.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end))
        #expect(file.isPublic && file.documentation == ["The photos of a service."])
        #expect(file.variables.map(\.name) == ["host", "baseURL"])
        #expect(file.usedVariables.map(\.value) == ["http://localhost:8080/api"])
        #expect(file.requests.map(\.name) == ["fetchPhoto", "addPhoto"])
        let fetch = try #require(file.request(named: "fetchPhoto"))
        #expect(fetch.title == "Fetch a photo" && fetch.documentation == ["What is known of it."])
        #expect(fetch.server == .variable("baseURL") && fetch.target.pieces == [.text("/photos/"), .variable("id")])
        #expect(fetch.fields.map(\.name) == ["Accept"] && fetch.fields.first?.value.literal == "application/json")
        #expect(fetch.result == .value(try #require(TypeName("Photo"))))
        #expect(fetch.parameters.map(\.name) == ["id"] && fetch.parameters.first?.type.scalar == .int)
        #expect(fetch.parameters.first?.documentation == "the number of the photo")
        let add = try #require(file.request(named: "addPhoto"))
        #expect(add.title == nil && add.documentation == ["Adds a photo."] && add.method == "POST")
        #expect(add.body == .json(try Template("{\"title\": \"{{title}}\"}")))
        #expect(add.contentType == "application/json" && add.fields.isEmpty)
        #expect(add.position.description == "17:1")
    }

    @Test func `a byte order mark is no part of the file`() throws {
        let file = try RequestFile([0xEF, 0xBB, 0xBF] + Array("GET http://h".utf8))
        #expect(file.requests.count == 1)
    }

    @Test(arguments: ["", "\n\n", "# only a comment", "@a = 1", "###\n###\n"])
    func `a file may have no requests`(text: String) throws {
        #expect(try read(text).requests.isEmpty)
    }

    @Test func `comments before the first separator are the file's, if no request follows them there`() throws {
        let file = try read("# about\n\nGET http://h\n### next\nGET http://i")
        #expect(file.documentation.isEmpty && file.requests.first?.documentation == ["about"])
        #expect(file.requests.last?.title == "next")
    }

    @Test func `the value of a variable may have others, which are not asked for themselves`() throws {
        let file = try read("@a = x\n@b = {{a}}-{{a}}\n@c=\nGET http://h/{{b}}{{c}}")
        #expect(file.variables.map(\.value) == ["x", "x-x", ""])
        #expect(file.usedVariables.map(\.name) == ["b", "c"])
    }

    @Test func `the address of a server that the file does not give is asked for`() throws {
        let file = try read("GET {{server}}/a\n###\n GET {{server}}/b/{{id}}\nX-From: {{server}}")
        #expect(file.usedVariables.map(\.name) == ["server"] && file.usedVariables.first?.value == nil)
        #expect(file.requests.map { $0.parameters.map(\.name) } == [[], ["id"]])
    }

    @Test func `what editors add is left out, and told where it was meant`() throws {
        let file = try read(
            """
            # @no-log
            # @prompt code
            GET http://h/{{code}} HTTP/2

            > {%
              client.test("a", function() {})
            %}

            <> 2026-01-01.200.json
            ###
            POST http://h
            Content-Type: text/plain

            hello
            >> out.json
            """
        )
        #expect(
            file.warnings.map(\.description) == [
                "3:23: warning: the version has no effect, because the client chooses it; remove it",
                "5:1: warning: Tern does not run scripts, and ignores this one",
                "15:1: warning: Tern does not write the response to a file, and ignores this line",
            ]
        )
        #expect(file.requests.last?.body == .text(try Template("hello")))
    }

    @Test func `many errors are told at once, one of each request, in order`() {
        let text = "@ = 1\n@x y\nGET ftp://h\n###\nGET http://h/a b\n###\n# @nam x\nGET http://h\n###\nGET http://h\n"
        #expect(problems(text).map { $0.prefix { $0 != " " } } == ["1:1", "2:1", "3:5", "5:15", "7:3"])
    }

    @Test func `what is told is bounded`() throws {
        let text = String(repeating: "###\nGET h\n", count: 900)
        #expect(problems(text).count == RequestFileLimits.maximumDiagnosticCount)
    }

    @Test func `descriptions are lines as of compilers`() throws {
        let failure = #expect(throws: RequestFileFailure.self) { try read("GET http://h/{{a\n###\nGET") }
        #expect(
            failure?.description == """
                1:14: error: '{{' has no '}}' on its line; write '{{name}}'
                3:4: error: the URL is missing; add one, as in 'GET https://example.com/photos'
                """
        )
    }
}
