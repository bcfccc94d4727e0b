// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TernCommand

@Suite("Several URLs, and the files that belong to them")
struct OperationArgumentsTests {
    /// The operations of a command line: its options, and its URLs with their files.
    private static func shown(_ typed: [String]) throws -> [String] {
        try CommandArguments(typed).operations.map { operation in
            operation.transfers.map { transfer in
                let output: String? =
                    switch transfer.output {
                    case .file(let path): path
                    case .remoteName: "(name)"
                    case .standardOutput: "(out)"
                    case nil: nil
                    }
                let parts = [transfer.url ?? "(none)", output.map { ">\($0)" }, transfer.uploadFile.map { "<\($0)" }]
                return parts.compactMap(\.self).joined()
            }.joined(separator: " ")
        }
    }

    static let lines: [(typed: [String], operations: [String])] = [
        (["a.b"], ["a.b"]), (["a.b", "c.d"], ["a.b c.d"]), (["--url", "a.b", "--url=c.d"], ["a.b c.d"]),
        (["a.b", "-o", "f", "c.d", "-o", "g"], ["a.b>f c.d>g"]), (["a.b", "c.d", "-of", "-og"], ["a.b>f c.d>g"]),
        (["-o", "f", "-O", "a.b", "c.d"], ["a.b>f c.d>(name)"]), (["-O", "a.b", "c.d"], ["a.b>(name) c.d"]),
        (["-o", "f", "-o", "g", "a.b"], ["a.b>f (none)>g"]), (["-OO", "a.b", "c.d"], ["a.b>(name) c.d>(name)"]),
        (["--no-remote-name", "-O", "a.b", "c.d"], ["a.b>(out) c.d>(name)"]),
        (["--remote-name-all", "a.b", "c.d", "-o-"], ["a.b>- c.d>(name)"]),
        (["a.b", "--remote-name-all", "c.d"], ["a.b c.d>(name)"]),
        (["--remote-name-all", "a.b", "--no-remote-name-all", "c.d"], ["a.b>(name) c.d"]),
        (["--remote-name-all", "--no-remote-name", "a.b", "c.d"], ["a.b>(out) c.d>(name)"]),
        (["--out-null", "a.b", "c.d"], ["a.b>/dev/null c.d"]),
        (["-T", "f", "a.b", "-T", "", "c.d"], ["a.b<f c.d<"]), (["a.b", "-T", "f", "-o", "g"], ["a.b>g<f"]),
        (["a.b", "--next", "-o", "f", "c.d"], ["a.b", "c.d>f"]),
        (["a.b", "-:", "c.d", "-:", "e.f"], ["a.b", "c.d", "e.f"]),
        (["--remote-name-all", "a.b", "--next", "c.d"], ["a.b>(name)", "c.d"]),
        (["-i", "a.b", "--", "-c", "--next"], ["a.b -c --next"]),
    ]

    @Test(arguments: lines)
    func `a file belongs to the URL with its number, as in curl`(typed: [String], operations: [String]) throws {
        #expect(try Self.shown(typed) == operations)
    }

    static let words: [(typed: [String], words: [[String]])] = [
        (["-i", "a.b", "--next", "-d", "x", "c.d"], [["--include", "a.b"], ["--content-item=data:x", "c.d"]]),
        (
            ["-sv", "a.b", "-:", "--fail-early", "-q", "c.d"],
            [
                ["--silent", "--verbose", "a.b", "--fail-early", "--quiet"],
                ["--fail-early", "--quiet", "c.d", "--silent", "--verbose"],
            ]
        ),
        (
            ["-Z", "a.b", "-:", "c.d", "--parallel-max", "3"],
            [["--parallel", "a.b", "--parallel-max=3"], ["c.d", "--parallel-max=3", "--parallel"]]
        ),
        (
            ["--parallel-max", "2", "a.b", "-:", "--", "-c"],
            [["--parallel-max=2", "a.b"], ["--parallel-max=2", "--", "-c"]]
        ),
        (
            ["--parallel-max", "2", "a.b", "-:", "--parallel-max", "3", "c.d"],
            [["--parallel-max=2", "a.b", "--parallel-max=3"], ["--parallel-max=3", "c.d"]]
        ),
        (["-v", "a.b", "-:", "--no-verbose", "c.d"], [["a.b"], ["c.d"]]),
        (["-i", "a.b", "-:", "--no-include", "c.d"], [["--include", "a.b"], ["c.d"]]),
        (["-u", "a:b", "a.b", "-:", "-H", "A: b", "c.d"], [["--user=a:b", "a.b"], ["--header=A: b", "c.d"]]),
    ]

    @Test(arguments: words)
    func `options are for one operation, and some of them for all`(typed: [String], words: [[String]]) throws {
        let arguments = try CommandArguments(typed)
        #expect(arguments.operations.indices.map { arguments.words(of: $0) } == words.map { ["get"] + $0 })
    }

    @Test func `each transfer has its own words`() throws {
        let operation = try CommandArguments(["-s", "-of", "a.b", "--", "-c"]).operations[0]
        #expect(operation.words(of: 0) == ["--silent", "--output=f", "a.b"])
        #expect(operation.words(of: 1) == ["--silent", "--", "-c"])
        #expect(operation.urlCount == 2 && operation.unusedFileCount == 0)
    }

    @Test func `the number of operations is bounded`() throws {
        let most = Array(repeating: ["a.b", "-:"], count: CommandArguments.maximumOperationCount - 1).flatMap(\.self)
        #expect(try CommandArguments(most + ["a.b"]).operations.count == CommandArguments.maximumOperationCount)
        let error = #expect(throws: CommandFailure.self) { try CommandArguments(most + ["a.b", "-:", "a.b"]) }
        #expect(error?.outcome == .usage)
    }

    @Test func `other commands make one transfer`() throws {
        for command in ["download", "upload", "lines", "events", "websocket"] {
            let arguments = try CommandArguments([command, "a.b", "c.d"])
            #expect(!arguments.makesTransfers && arguments.words == [command, "a.b", "c.d"])
        }
        #expect(try CommandArguments(["download", "--", "-u"]).words == ["download", "--", "-u"])
    }
}
