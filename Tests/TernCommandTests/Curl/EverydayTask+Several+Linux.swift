// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation

extension EverydayTask {
    /// The answers to three requests.
    private static let three = [Self.answer(body: "1\n"), Self.answer(body: "2\n"), Self.answer(body: "3\n")]

    /// The tasks with several URLs.
    static let several: [EverydayTask] = [
        .init(name: "print two pages", arguments: ["-s", "{url}/a", "{url}/b"], answers: Self.three, output: "1\n2\n"),
        .init(
            name: "store two pages, each in its file",
            arguments: ["-sS", "{url}/a", "-o", "a.txt", "{url}/b", "-o", "b.txt"],
            answers: Self.three,
            output: "",
            files: ["a.txt": "1\n", "b.txt": "2\n"]
        ),
        .init(
            name: "store one page, and print the others",
            arguments: ["-s", "{url}/a", "{url}/b", "{url}/c", "-o", "a.txt"],
            answers: Self.three,
            output: "2\n3\n",
            files: ["a.txt": "1\n"]
        ),
        .init(
            name: "store pages under their names, and one elsewhere",
            arguments: ["-s", "-O", "-o", "b.txt", "-O", "{url}/x/1.txt", "{url}/2.txt", "{url}/3.txt?a=b"],
            answers: Self.three,
            output: "",
            files: ["1.txt": "1\n", "b.txt": "2\n", "3.txt": "3\n", "2.txt": "(none)"]
        ),
        .init(
            name: "store all pages under their names",
            arguments: ["-s", "--remote-name-all", "{url}/1.txt", "{url}/2.txt", "{url}/3.txt", "-o", "-"],
            answers: Self.three,
            output: "1\n",
            files: ["2.txt": "2\n", "3.txt": "3\n", "1.txt": "(none)"]
        ),
        .init(
            name: "store them in a folder",
            arguments: [
                "-s", "--output-dir", "d", "--create-dirs", "-O", "{url}/1.txt", "{url}/{2,3}.txt", "-o", "#1-#1.txt",
            ],
            answers: Self.three,
            output: "",
            files: ["d/1.txt": "1\n", "d/2-2.txt": "2\n", "d/3-3.txt": "3\n"]
        ),
        .init(
            name: "send a form twice",
            arguments: ["-s", "-d", "a=1", "{url}/a", "--url", "{url}/b"],
            answers: Self.three,
            output: "1\n2\n"
        ),
        .init(
            name: "upload two files",
            arguments: ["-s", "-T", "in.txt", "{url}/a", "-T", "fields.txt", "{url}/d/"],
            answers: Self.three,
            output: "1\n2\n",
            ownFields: ["expect"]
        ),
        .init(
            name: "the exit code is that of the last transfer",
            arguments: ["-sf", "{url}/a", "{url}/b"],
            answers: [Self.answer(), Self.answer("404 Not Found")],
            exitCode: 22
        ),
        .init(
            name: "stop at the first failure",
            arguments: ["-sf", "--fail-early", "{url}/a", "--next", "{url}/b"],
            answers: [Self.answer("404 Not Found"), Self.answer()],
            output: "",
            exitCode: 22
        ),
        .init(
            name: "what each transfer was",
            arguments: [
                "-s", "-w", "%{urlnum} %{filename_effective}\\n", "{url}/a", "-ob", "{url}/[b-c]",
            ],
            answers: Self.three,
            output: "0 b\n2\n1 \n3\n1 \n",
            files: ["b": "1\n"]
        ),
        .init(
            name: "the heads of all in one file",
            arguments: ["-s", "-D", "-", "-o", "/dev/null", "-o", "/dev/null", "{url}/a", "{url}/b"],
            output: nil
        ),
        .init(
            name: "send the cookies of the first page with the second",
            arguments: ["-s", "-b", "", "{url}/login", "{url}/b"],
            answers: [Self.answer("200 OK", "Set-Cookie: a=1; Path=/"), Self.answer()],
            output: "hello\nhello\n"
        ),
        .init(
            name: "different options, and a body for one of two",
            arguments: ["-sS", "-H", "A: b", "{url}/a", "--next", "-d", "x=1", "-A", "dog", "{url}/b", "{url}/c"],
            answers: Self.three,
            output: "1\n2\n3\n"
        ),
        .init(
            name: "the short name of that, and other files",
            arguments: ["-s", "-I", "-oa.txt", "{url}/a", "-:", "{url}/b", "-o", "b.txt"],
            answers: Self.three,
            output: "",
            files: ["b.txt": "2\n"]
        ),
        .init(
            name: "options from a file",
            arguments: ["-s", "-K", "k"],
            answers: Self.three,
            output: "1\n3\n",
            files: ["b.txt": "2\n"],
            configuration: """
                # dogs
                url = "{url}/a?x"
                -o -
                header "A: b c" # d
                data: "x\\ty"
                url={url}/b
                output = b.txt
                --next
                url = "{url}/c"
                """
        ),
        .init(
            name: "options from standard input, and a URL beside them",
            arguments: ["-K", "-", "{url}/b"],
            answers: Self.three,
            input: "silent\nuser = \"anna:wo of\"\n",
            output: "1\n"
        ),
        .init(
            name: "a limit of the rate",
            arguments: ["-s", "--limit-rate", "10M", "-d", "a=1", "{url}/a"]
        ),
        .init(
            name: "a limit of the rate, for a file",
            arguments: ["-s", "--limit-rate", "10M", "-T", "in.txt", "{url}/a", "-o", "a.txt"],
            output: "",
            files: ["a.txt": "hello\n"],
            ownFields: ["expect"]
        ),
        .init(
            name: "a limit of the rate, for a form",
            arguments: ["-s", "--limit-rate", "10M", "-F", "a=@in.txt", "{url}/a"]
        ),
        .init(
            name: "a limit of the rate that a limit of time ends",
            arguments: ["-s", "--limit-rate", "1", "-m", "1", "{url}/a"],
            // curl reads some 1.6 MB before it looks at the limit.
            answers: [Self.answer(body: String(repeating: "a", count: 4_000_000))],
            output: nil,
            exitCode: 28
        ),
    ]
}
#endif
