// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernFoundation
import TernRequests
import Testing

@Suite("Requests as curl commands")
struct RequestCurlTests {
    private let get = Request(.get, "https://example.com/a")
    private let post = Request(.post, "https://example.com/a")

    @Test func `a plain GET has a URL only`() {
        #expect(self.get.curl() == "curl 'https://example.com/a'")
    }

    @Test func `another method is named`() {
        #expect(Request(.delete, "http://a").curl() == "curl --request DELETE 'http://a'")
        #expect(Request(.head, "http://a").curl() == "curl --head 'http://a'")
    }

    @Test func `fields are given in order`() {
        let command = self.get.header(.accept, "*/*").header(adding: .range, "bytes=0-").curl()
        #expect(command == "curl --header 'Accept: */*' --header 'Range: bytes=0-' 'https://example.com/a'")
    }

    @Test func `an empty field is sent, not removed`() {
        #expect(self.get.header(.accept, "").curl().contains("--header 'Accept;'"))
    }

    @Test(arguments: [
        "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Auth-Token", "X-API-Key", "client-secret",
        "X-Password", "X-Amz-Credential", "X-Hub-Signature-256", "Session-ID",
    ])
    func `the values of telling fields are masked`(name: String) {
        let command = self.get.header(name, "hunter2").curl()
        #expect(command.contains("'\(name): ***'"))
        #expect(!command.contains("hunter2"))
    }

    @Test(arguments: [
        ("https://user:hunter2@h/a", "https://***@h/a"), ("https://hunter2@h/", "https://***@h/"),
        ("https://h/?token=hunter2&page=2", "https://h/?token=***&page=2"),
        ("https://h/?a=1&X-Amz-Signature=hunter2", "https://h/?a=1&X-Amz-Signature=***"),
        ("https://h/?api%5Fk%65y=hunter2", "https://h/?api%5Fk%65y=***"),
        ("https://h/?code=hunter2#f", "https://h/?code=***"),
        ("https://h/?PASSWORD=hunter2=hunter2", "https://h/?PASSWORD=***"),
        ("https://h/a@b?c=d@e", "https://h/a@b?c=d@e"),
    ])
    func `what the URL holds of secrets is masked`(url: String, expected: String) {
        let command = Request(.get, url).curl()
        #expect(command == "curl '\(expected)'")
    }

    @Test(arguments: [
        "it's", "'; rm -rf / #", "$(id)", "`id`", "a\"b", "a\\b", "$HOME", "''", "!!", "'\u{301}; id #",
        "'\u{200D}$(id)'\u{301}",
    ])
    func `a shell takes every word literally`(value: String) {
        let command = self.get.header(.accept, value).curl()
        #expect(Self.words(of: command) == ["curl", "--header", "Accept: \(value)", "https://example.com/a"])
    }

    @Test(arguments: [
        #"{"title":"it's"}"#, "@file", "a\nb", "-d", "",
    ])
    func `a body of text is shown on request, as it is`(text: String) {
        let request = self.post.body(data: Data(text.utf8), contentType: "text/plain")
        let option = text.isEmpty ? "--data-binary" : "--data-raw"
        #expect(
            Self.words(of: request.curl(includingBody: true)) == [
                "curl", "--request", "POST", "--header", "Content-Type: text/plain", option, text,
                "https://example.com/a",
            ]
        )
        if !text.isEmpty { #expect(request.curl().contains("--data-binary '@-'")) }
    }

    @Test func `bytes and long text stay with standard input`() {
        let bodies = [Data([0x61, 0, 0x62]), Data([0xFF, 0xFE]), Data(repeating: 0x61, count: (64 << 10) + 1)]
        for body in bodies {
            #expect(self.post.body(data: body).curl(includingBody: true).contains("--data-binary '@-'"))
        }
    }

    @Test func `text that is compressed is piped`() {
        let text = String(repeating: "a", count: 2000)
        let command = self.post.body(data: Data(text.utf8)).compressed().curl(includingBody: true)
        #expect(command.hasPrefix("printf %s '\(text)' | gzip --stdout | curl "))
    }

    @Test func `fields of a form are shown on request`() {
        let form = Multipart()
            .field("title", "a \"b\"")
            .file("photo", URL(filePath: "/p.jpg"), contentType: "image/jpeg")
        let request = self.post.body(multipart: form)
        #expect(request.curl().contains(#"title="***""#))
        let words = Self.words(of: request.curl(includingBody: true))
        #expect(words.contains(#"title="a \"b\"""#))
        #expect(words.contains { $0.hasPrefix("photo=@/p.jpg") })
    }

    @Test func `a method is quoted too`() throws {
        let method = try #require(HTTPRequest.Method("A'B"))
        #expect(Self.words(of: Request(method, "http://a").curl()) == ["curl", "--request", "A'B", "http://a"])
    }

    @Test func `a body in memory is not shown`() {
        let command = self.post.body(json: ["password": "hunter2"]).curl()
        #expect(!command.contains("hunter2"))
        #expect(
            Self.words(of: command) == [
                "curl", "--request", "POST", "--header", "Content-Type: application/json", "--data-binary", "@-",
                "https://example.com/a",
            ]
        )
    }

    @Test func `curl is kept from calling a body a form`() {
        let words = Self.words(of: self.post.body(data: Data([1])).curl())
        #expect(words.contains("Content-Type:"))
        #expect(Self.words(of: self.post.body(data: Data()).curl()).contains(""))
    }

    @Test func `a file is named`() {
        let body = URL(filePath: "/tmp/it's a photo.jpg")
        let words = Self.words(of: self.post.body(file: body, contentType: "image/jpeg").curl())
        #expect(words.contains("@/tmp/it's a photo.jpg"))
        #expect(words.contains("Content-Type: image/jpeg"))
    }

    @Test func `the limit of the call and the socket have their options`() {
        let command = self.get.timeout(.milliseconds(1500)).unixSocket(path: "/run/a b.sock").curl()
        #expect(
            Self.words(of: command) == [
                "curl", "--max-time", "1.5", "--unix-socket", "/run/a b.sock", "https://example.com/a",
            ]
        )
    }

    @Test func `fields that are marked as sensitive are masked`() throws {
        var marked = try HTTPField(name: #require(HTTPField.Name("X-Person")), value: "hunter2")
        marked.indexingStrategy = .disallow
        var request = self.get
        request.fields.append(marked)
        request = request.header("X-Plan", "hunter2")
        request.options.sensitiveFields = try [#require(HTTPField.Name("X-Plan"))]
        #expect(request.curl() == "curl --header 'X-Person: ***' --header 'X-Plan: ***' 'https://example.com/a'")
    }

    @Test(arguments: ["users/7?t=hunter2", "mailto:hunter2@h", "//hunter2@h/", "ftp://hunter2/", "/a"])
    func `what cannot be sent to is left out`(url: String) {
        #expect(Request(.get, url).curl() == "curl ''")
    }

    @Test func `what is no URL is left out`() {
        #expect(Request(.get, "").curl() == "curl ''")
    }

    /// Splits a command like a POSIX shell.
    ///
    /// The function supports single quotes, a backslash outside quotes, and spaces.
    private static func words(of command: String) -> [String] {
        var words: [String] = []
        // A shell reads bytes, so a quote with a combining mark is a quote. In Swift, both are one `Character`.
        var word: [Unicode.Scalar]?
        var (isQuoted, isEscaped) = (false, false)
        for scalar in command.unicodeScalars {
            switch scalar {
            case _ where isEscaped: (word, isEscaped) = ((word ?? []) + [scalar], false)
            case "'": (word, isQuoted) = (word ?? [], !isQuoted)
            case "\\" where !isQuoted: isEscaped = true
            case " " where !isQuoted:
                if let finished = word { words.append(Self.text(finished)) }
                word = nil
            default: word = (word ?? []) + [scalar]
            }
        }
        return words + (word.map { [Self.text($0)] } ?? [])
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
