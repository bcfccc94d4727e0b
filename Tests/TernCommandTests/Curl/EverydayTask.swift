// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Testing

/// An everyday task of curl's users: an argument line as they type it, and its expected result.
struct EverydayTask: Sendable, CustomTestStringConvertible {
    /// The task in words.
    var name: String
    /// The arguments.
    ///
    /// `{url}` stands for the server, `{port}` for its port, `{socket}` for its Unix-domain socket.
    var arguments: [String]
    /// The answers to the requests, in order; the last answer is also for all further requests.
    var answers: [RecordingServer.Answer] = [.init()]
    /// The text of standard input.
    var input = ""
    /// The expected text on standard output; `nil` if the test does not check it.
    var output: String? = "hello\n"
    /// The expected exit code.
    var exitCode: Int32 = 0
    /// The expected content of files at the end, by name.
    var files: [String: String] = [:]
    /// The argument lines that run first, with the same program.
    var before: [[String]] = []
    /// A Boolean value that indicates whether the server listens on a Unix-domain socket.
    var usesSocket = false
    /// The request fields in which `tern-cli` and curl differ on purpose.
    var ownFields: Set<String> = []

    var testDescription: String { "\(self.name): \(self.arguments.joined(separator: " "))" }

    private static func answer(
        _ status: String = "200 OK",
        _ fields: String...,
        body: String = "hello\n",
        cut: Int? = nil
    ) -> RecordingServer.Answer {
        .init(status: status, fields: fields, body: body, cut: cut)
    }

    static let all: [EverydayTask] = Self.fetching + Self.sending + Self.identity + Self.connecting + Self.telling

    private static let fetching: [EverydayTask] = [
        .init(name: "print a page", arguments: ["{url}/a?b=c"]),
        .init(name: "print it, option last", arguments: ["{url}/a", "-s"]),
        .init(
            name: "store a page in a file",
            arguments: ["-sS", "-o", "page.txt", "{url}/a"],
            output: "",
            files: ["page.txt": "hello\n"]
        ),
        .init(
            name: "download a file by its name",
            arguments: ["-sO", "{url}/files/dog.txt?size=1"],
            output: "",
            files: ["dog.txt": "hello\n"]
        ),
        .init(
            name: "download a file by the server's name",
            arguments: ["-sOJ", "{url}/files/1"],
            answers: [Self.answer("200 OK", "Content-Disposition: attachment; filename=\"../cat.txt\"")],
            output: "",
            files: ["cat.txt": "hello\n"]
        ),
        .init(
            name: "follow redirects",
            arguments: ["-sSL", "{url}/old"],
            answers: [Self.answer("302 Found", "Location: /new", body: ""), Self.answer()]
        ),
        .init(
            name: "follow a redirect after a form",
            arguments: ["-sL", "-d", "a=1", "{url}/old"],
            answers: [Self.answer("303 See Other", "Location: /new", body: ""), Self.answer()]
        ),
        .init(
            name: "follow no more redirects than that",
            arguments: ["-sL", "--max-redirs", "1", "{url}/old"],
            answers: [Self.answer("302 Found", "Location: /new", body: "")],
            output: "",
            exitCode: 47
        ),
        .init(
            name: "only the head",
            arguments: ["-sI", "{url}/a"],
            answers: [Self.answer("200 OK", "X-Dog: Biscuit")],
            output: nil
        ),
        .init(name: "head and body", arguments: ["-si", "{url}/a"], output: nil),
        .init(
            name: "resume a download",
            arguments: ["-s", "-C", "-", "-o", "part.txt", "{url}/a"],
            answers: [
                Self.answer("200 OK", body: "hel"),
                Self.answer("206 Partial Content", "Content-Range: bytes 3-5/6", body: "lo\n"),
            ],
            output: "",
            files: ["part.txt": "hello\n"],
            before: [["-s", "-o", "part.txt", "{url}/a"]]
        ),
        .init(
            name: "a range",
            arguments: ["-s", "-r", "1-3", "{url}/a"],
            answers: [Self.answer("206 Partial Content", "Content-Range: bytes 1-3/6", body: "ell")],
            output: "ell"
        ),
        .init(name: "compressed", arguments: ["-s", "--compressed", "{url}/a"], ownFields: ["accept-encoding"]),
        .init(
            name: "fail on an error status",
            arguments: ["-fsSL", "{url}/a"],
            answers: [Self.answer("404 Not Found", body: "no dog")],
            output: "",
            exitCode: 22
        ),
        .init(
            name: "fail, and print the body",
            arguments: ["-s", "--fail-with-body", "{url}/a"],
            answers: [Self.answer("404 Not Found", body: "no dog")],
            output: "no dog",
            exitCode: 22
        ),
    ]

    private static let sending: [EverydayTask] = [
        .init(name: "post a form", arguments: ["-s", "-d", "name=Biscuit", "-d", "age=3", "{url}/dogs"]),
        .init(name: "method, value and all without spaces", arguments: ["-sXPUT", "-da=1", "{url}/dogs"]),
        .init(
            name: "post JSON by hand",
            arguments: ["-X", "POST", "-H", "Content-Type: application/json", "-d", #"{"a":1}"#, "{url}/dogs"]
        ),
        .init(name: "post JSON", arguments: ["-s", "--json", #"{"a":1}"#, "{url}/dogs"]),
        .init(name: "post JSON from standard input", arguments: ["-s", "--json", "@-", "{url}/dogs"], input: "{}\n"),
        .init(name: "post a file as text", arguments: ["-s", "-d", "@in.txt", "{url}/dogs"]),
        .init(name: "post a file as it is", arguments: ["-s", "--data-binary", "@in.txt", "{url}/dogs"]),
        .init(name: "post an at sign", arguments: ["-s", "--data-raw", "@in.txt", "{url}/dogs"]),
        .init(
            name: "post encoded values",
            arguments: [
                "-s", "--data-urlencode", "q=a b&c", "--data-urlencode", "n@in.txt", "-d", "x=1", "{url}/dogs",
            ]
        ),
        .init(
            name: "search by a query",
            arguments: ["-sG", "--data-urlencode", "q=a b/ö", "-d", "page=2", "{url}/dogs?x=1"]
        ),
        .init(name: "an empty post", arguments: ["-s", "-X", "POST", "{url}/dogs"], ownFields: ["content-length"]),
        .init(name: "delete", arguments: ["-s", "-X", "DELETE", "{url}/dogs/1"]),
        .init(name: "upload a file", arguments: ["-s", "-T", "in.txt", "{url}/files/"], ownFields: ["expect"]),
        .init(
            name: "upload standard input",
            arguments: ["-sT", "-", "{url}/files/a"],
            input: "woof",
            ownFields: ["expect"]
        ),
        .init(
            name: "a form with a file",
            arguments: ["-s", "-F", "title=Biscuit", "-F", "text=@in.txt", "{url}/dogs"]
        ),
        .init(
            name: "a form with types and names",
            arguments: [
                "-s", "-F", "a=@in.txt;type=text/x-dog;filename=dog.txt", "-F", "b=<in.txt", "-F", "c=\"x;y\"",
                "--form-string", "d=@;<", "{url}/dogs",
            ]
        ),
    ]

    private static let identity: [EverydayTask] = [
        .init(name: "Basic", arguments: ["-s", "-u", "anna:woof", "{url}/albums"]),
        .init(name: "Bearer", arguments: ["-s", "--oauth2-bearer", "abc", "{url}/albums"]),
        .init(
            name: "Digest",
            arguments: ["-s", "--digest", "-u", "anna:woof", "{url}/albums"],
            answers: [
                Self.answer(
                    "401 Unauthorized",
                    "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"",
                    body: ""
                ),
                Self.answer(),
            ],
            ownFields: ["authorization"]
        ),
        .init(
            name: "other fields, and none of some names",
            arguments: ["-s", "-H", "X-Dog: Biscuit", "-H", "X-Empty;", "-H", "Accept:", "{url}/a"]
        ),
        .init(name: "fields from a file", arguments: ["-s", "-H", "@fields.txt", "{url}/a"]),
        .init(name: "agent and referrer", arguments: ["-s", "-A", "dog/1", "-e", "http://a/b", "{url}/a"]),
        .init(name: "a cookie", arguments: ["-s", "-b", "a=1; b=2", "{url}/a"]),
        .init(
            name: "save cookies and send them",
            arguments: ["-s", "-b", "jar", "{url}/b"],
            answers: [Self.answer("200 OK", "Set-Cookie: a=1; Path=/")],
            before: [["-s", "-c", "jar", "{url}/login"]]
        ),
    ]

    private static let connecting: [EverydayTask] = [
        .init(name: "a limit of time", arguments: ["-s", "-m", "30", "--connect-timeout", "5", "{url}/a"]),
        .init(
            name: "through a proxy",
            arguments: ["-s", "-x", "http://127.0.0.1:{port}", "http://dogs.example/a"],
            ownFields: ["proxy-connection"]
        ),
        .init(
            name: "another address",
            arguments: ["-s", "--resolve", "dogs.example:{port}:127.0.0.1", "http://dogs.example:{port}/a"]
        ),
        .init(
            name: "another host and port",
            arguments: ["-s", "--connect-to", "dogs.example:80:127.0.0.1:{port}", "http://dogs.example/a"]
        ),
        .init(
            name: "a Unix-domain socket",
            arguments: ["-s", "--unix-socket", "{socket}", "http://localhost/a"],
            usesSocket: true
        ),
        .init(
            name: "retries",
            arguments: ["-s", "--retry", "2", "--retry-delay", "1", "{url}/a"],
            answers: [Self.answer("503 Service Unavailable", body: ""), Self.answer()]
        ),
        .init(
            name: "no server, quiet with errors",
            arguments: ["-sS", "http://127.0.0.1:1/a"],
            output: "",
            exitCode: 7
        ),
    ]

    private static let telling: [EverydayTask] = [
        .init(
            name: "the status alone",
            arguments: [
                "-s", "-o", "/dev/null", "-w", "%{http_code} %{content_type}%% %{num_redirects}\\n", "{url}/a",
            ],
            answers: [Self.answer("201 Created", "Content-Type: text/plain")],
            output: "201 text/plain% 0\n"
        ),
        .init(
            name: "what was written, and how much",
            arguments: [
                "-so", "page.txt", "-w", "%{size_download}|%{filename_effective}|%{method}|%{header_json}", "{url}/a",
            ],
            output: nil,
            files: ["page.txt": "hello\n"]
        ),
        .init(
            name: "where a redirect leads",
            arguments: ["-s", "--no-location", "-o", "/dev/null", "-w", "%{redirect_url}", "{url}/a"],
            answers: [Self.answer("302 Found", "Location: http://b.example/c", body: "")],
            output: "http://b.example/c"
        ),
        .init(name: "the heads in a file", arguments: ["-sSD", "-", "-o", "/dev/null", "{url}/a"], output: nil),
        .init(name: "everything said", arguments: ["-vs", "{url}/a"]),
    ]
}
#endif
