// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernFoundation
import TernRequests
import Testing

@Suite("Options and bodies as curl commands")
struct RequestCurlOptionsTests {
    private let post = Request(.post, "http://a/")

    @Test func `redirects are followed where that is asked for`() {
        #expect(self.post.redirects(.follow).curl().contains(" --location --max-redirs 20 "))
        #expect(!self.post.redirects(.never).curl().contains("--location"))
        #expect(!self.post.redirects(.sameOrigin).curl().contains("--location"))
    }

    @Test func `options have an order`() {
        var request = self.post.timeout(.seconds(2)).redirects(.follow).unixSocket(path: "/s")
        request.options.maximumBodyByteCount = 7
        request.options.decodesContent = true
        let expected =
            "curl --request POST --compressed --location --max-redirs 20 --max-filesize 7 --max-time 2.0"
            + " --unix-socket /s 'http://a/'"
        for _ in 0..<10 { #expect(request.curl() == expected) }
    }

    @Test func `what is said of Expect and of connecting is said to curl`() {
        var request = self.post.timeouts(Timeouts(connect: .milliseconds(1500)))
        request.options.expectsContinue = false
        #expect(request.curl() == "curl --request POST --connect-timeout 1.5 --header 'Expect:' 'http://a/'")
        request.options.expectsContinue = true
        #expect(request.curl().contains("'Expect: 100-continue'"))
    }

    @Test func `an option of another module says what it means`() {
        enum Trace: CurlOption {
            typealias Value = String
            static func curlArguments(_ value: String) -> [String] { ["--header", "X-Trace: \(value)"] }
        }
        enum Silent: RequestOption { typealias Value = Int }
        var request = Request(.get, "http://a/")
        request.options[Trace.self] = "it's"
        request.options[Silent.self] = 7
        #expect(request.curl() == #"curl --header 'X-Trace: it'\''s' 'http://a/'"#)
    }

    @Test func `a file is compressed before curl sends it`() {
        let file = URL(filePath: "/tmp/it's.txt")
        let command = self.post.body(file: file, contentType: "text/plain").compressed().curl()
        #expect(
            command == #"gzip --stdout '/tmp/it'\''s.txt' | curl --request POST --header 'Content-Type: text/plain'"#
                + #" --header 'Content-Encoding: gzip' --data-binary '@-' 'http://a/'"#
        )
    }

    @Test func `a body that is too short is not compressed`() {
        let short = self.post.body(data: Data([1]), contentType: "a/b").compressed()
        #expect(!short.curl().contains("gzip"))
        let long = self.post.body(data: Data(count: 2000), contentType: "a/b").compressed()
        #expect(long.curl().hasPrefix("gzip --stdout | curl "))
    }

    @Test(arguments: [
        ("a b", "a b"), ("a\"b", "a\"b"), ("a\\b", "a\\b"), ("a=b", "a%3Db"), ("é", "é"), ("a;b", "a;b"),
    ])
    func `curl takes the name of a part as it is`(name: String, shown: String) {
        let form = Multipart().field(name, "hunter2").file("f", URL(filePath: "/tmp/a"))
        #expect(self.post.body(multipart: form).curl().contains(" --form '\(shown)=\"***\"' "))
    }

    @Test func `a quote with a combining mark is a quote`() {
        let form = Multipart().file("f", URL(filePath: "/tmp/a"), filename: "x\"\u{301};y")
        let command = self.post.body(multipart: form).curl()
        #expect(command.unicodeScalars.contains(#";filename="x\"\#u{301};y""#.unicodeScalars))
    }

    @Test func `a form with files names them, and hides what else it holds`() {
        let form = Multipart()
            .field("password", "hunter2")
            .file("photo", URL(filePath: "/tmp/a \"b\";c.jpg"), filename: "x;y.jpg", contentType: "image/jpeg")
        let command = self.post.body(multipart: form).curl()
        #expect(
            command == #"curl --request POST --form 'password="***"'"#
                + #" --form 'photo=@"/tmp/a \"b\";c.jpg";filename="x;y.jpg";type=image/jpeg' 'http://a/'"#
        )
    }
}
