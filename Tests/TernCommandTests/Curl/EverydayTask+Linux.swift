// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

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
    /// The content of the file `k`, with `{url}` for the server.
    var configuration = ""

    var testDescription: String { "\(self.name): \(self.arguments.joined(separator: " "))" }

    static func answer(
        _ status: String = "200 OK",
        _ fields: String...,
        body: String = "hello\n",
        cut: Int? = nil
    ) -> RecordingServer.Answer {
        .init(status: status, fields: fields, body: body, cut: cut)
    }

    static let all: [EverydayTask] =
        Self.fetching + Self.sending + Self.identity + Self.connecting + Self.telling + Self.several

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
        .init(name: "fetch a range of pages", arguments: ["-s", "{url}/[1-3]"], output: "hello\nhello\nhello\n"),
        .init(
            name: "store a set of pages, each in its file",
            arguments: ["-sS", "-o", "#2-#1.txt", "{url}/{a,b}/[08-12:4]"],
            answers: [Self.answer(body: "1"), Self.answer(body: "2"), Self.answer(body: "3"), Self.answer(body: "4")],
            output: "",
            files: ["08-a.txt": "1", "12-a.txt": "2", "08-b.txt": "3", "12-b.txt": "4"]
        ),
        .init(
            name: "go on after a failure",
            arguments: ["-sf", "{url}/{a,b}"],
            answers: [Self.answer("404 Not Found"), Self.answer()]
        ),
        .init(
            name: "stop after a failure",
            arguments: ["-sf", "--fail-early", "{url}/{a,b}"],
            answers: [Self.answer("404 Not Found"), Self.answer()],
            output: "",
            exitCode: 22
        ),
        .init(
            name: "keep the heads of several pages",
            arguments: ["-s", "-D", "heads.txt", "-o", "page.txt", "{url}/[1-2]"],
            output: "",
            files: ["page.txt": "hello\n"]
        ),
        .init(name: "send no agent and no empty fields", arguments: ["-s", "-A", "", "-e", "", "-H", "", "{url}/a"]),
        .init(name: "use no proxy, cookie file or upload", arguments: ["-s", "-x", "", "-b", "", "-T", "", "{url}/a"]),
        .init(
            name: "add to the query",
            arguments: [
                "-s", "--url-query", "name=a b&c", "--url-query", "=ä", "--url-query", "+d=%20", "--url-query",
                "e@in.txt",
                "{url}/a?b=c",
            ]
        ),
        .init(
            name: "add to the query, and send a form",
            arguments: ["-s", "--url-query", "page=1", "-d", "a=1", "{url}/a"]
        ),
        .init(
            name: "fetch a page only if it is newer",
            arguments: ["-s", "-z", "Sat, 28 Nov 2026 12:00:00 GMT", "{url}/a"],
            answers: [Self.answer("200 OK", "Last-Modified: Sat, 28 Nov 2026 12:00:01 GMT")]
        ),
        .init(
            name: "keep a file that is new enough",
            arguments: ["-s", "-z", "20261128 12:00:00", "-o", "in.txt", "{url}/a"],
            answers: [Self.answer("304 Not Modified")],
            output: "",
            files: ["in.txt": "wo of\r\nwoof\n"]
        ),
        .init(
            name: "keep a file whose tag is still the same",
            arguments: ["-s", "-H", "If-None-Match: \"a\"", "-o", "in.txt", "{url}/a"],
            answers: [Self.answer("304 Not Modified")],
            output: "",
            files: ["in.txt": "wo of\r\nwoof\n"]
        ),
        .init(
            name: "keep a file that is new enough, though the server ignores the condition",
            arguments: ["-s", "-z", "20261128", "-o", "in.txt", "{url}/a"],
            answers: [Self.answer("200 OK", "Last-Modified: Fri, 27 Nov 2026 12:00:00 GMT")],
            output: "",
            files: ["in.txt": "wo of\r\nwoof\n"]
        ),
        .init(
            name: "fetch a page only if it is old",
            arguments: ["-s", "-z", "-28 Nov 2026", "{url}/a"],
            answers: [Self.answer("412 Precondition Failed")]
        ),
        .init(
            name: "fetch a page for a file that is not there yet",
            arguments: ["-s", "-z", "page.txt", "-R", "-o", "page.txt", "{url}/a"],
            answers: [Self.answer("200 OK", "Last-Modified: Fri, 27 Nov 2026 12:00:00 GMT")],
            output: "",
            files: ["page.txt": "hello\n"]
        ),
        .init(
            name: "fetch a page again if it is newer than its file",
            arguments: ["-s", "-z", "page.txt", "-o", "page.txt", "{url}/a"],
            answers: [Self.answer("200 OK", "Last-Modified: Fri, 27 Nov 2026 12:00:00 GMT")],
            output: "",
            files: ["page.txt": "hello\n"],
            before: [["-s", "-R", "-o", "page.txt", "{url}/a"]]
        ),
        .init(name: "send an empty form", arguments: ["-s", "-d", "", "{url}/a"]),
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
            name: "through a proxy with a user",
            arguments: ["-s", "-x", "http://anna:woof@127.0.0.1:{port}", "http://dogs.example/a"],
            ownFields: ["proxy-connection"]
        ),
        .init(
            name: "through a proxy with a user beside it, and a wrong password",
            arguments: ["-s", "-x", "127.0.0.1:{port}", "-U", "anna:wo of", "http://dogs.example/a"],
            answers: [Self.answer("407 Proxy Authentication Required", "Proxy-Authenticate: Basic realm=\"p\"")],
            ownFields: ["proxy-connection"]
        ),
        .init(
            name: "another address",
            arguments: ["-s", "--resolve", "dogs.example:{port}:127.0.0.1", "http://dogs.example:{port}/a"]
        ),
        .init(name: "IPv4 only", arguments: ["-s4", "http://localhost:{port}/a"]),
        .init(name: "IPv6 only, for an IPv4 address", arguments: ["-sS", "-6", "{url}/a"], output: "", exitCode: 7),
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
