// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernRequestFiles
import TestSupport
import Testing

@testable import TernCommand

@Suite("A file that a request file names")
struct BodyFileTests {
    private static func path(_ path: String, in folder: TemporaryFolder) -> String? {
        let url = try? BodyFile.url(path, in: folder.file("here"), advice: "use --var file=…")
        return url?.standardizedFileURL.path
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let manager = FileManager.default
        try manager.createDirectory(at: folder.file("here/inner"), withIntermediateDirectories: true)
        try manager.createDirectory(at: folder.file("hereafter"), withIntermediateDirectories: true)
        for name in ["outside", "here/a", "here/inner/b", "hereafter/c"] { try folder.write(name, to: name) }
        for (name, target) in [("out", "../outside"), ("etc", "/etc"), ("within", "inner/b"), ("up", "..")] {
            try manager.createSymbolicLink(atPath: folder.file("here/\(name)").path, withDestinationPath: target)
        }
        return folder
    }

    @Test(arguments: ["a", "./a", "inner/b", "inner/../a", "within", "up/here/a", "../here/a"])
    func `a path may lead to a file in the folder`(path: String) throws {
        let folder = try Self.folder()
        let real = try #require(Self.path(path, in: folder))
        #expect(try ["here/a", "here/inner/b"].contains(String(contentsOf: URL(filePath: real), encoding: .utf8)))
    }

    @Test(arguments: [
        "/etc/hostname", "/", "..", ".", "../outside", "inner/../../outside", "out", "etc/hostname", "up/outside",
        "../hereafter/c", "../missing", "/missing/file", "inner/../../missing",
    ])
    func `a path must not lead out of the folder`(path: String) throws {
        let folder = try Self.folder()
        let failure = try #require(throws: CommandFailure.self) {
            try BodyFile.url(path, in: folder.file("here"), advice: "use --var file=\(path)")
        }
        #expect(failure.outcome == .usage && failure.message.hasSuffix("so it is not sent; use --var file=\(path)"))
    }

    @Test func `a file of a form must not lie outside of the folder`() throws {
        let text = """
            POST http://h
            Content-Type: multipart/form-data; boundary=x

            --x
            Content-Disposition: form-data; name=a

            < ./out
            --x--
            """
        let (folder, file) = (try Self.folder(), try RequestFile(Array(text.utf8), for: .sending))
        let failure = try #require(throws: CommandFailure.self) {
            try RequestFileRun(file, name: nil, [], folder: folder.file("here"))
        }
        #expect(failure.message.hasSuffix("so it is not sent; copy the file into the folder to send it"))
    }

    @Test func `the file .env must not lie outside of the folder`() throws {
        let folder = try Self.folder()
        let link = folder.file("here/.env").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../outside")
        let evaluator = ExpressionEvaluator(memory: ExchangeMemory([]), folder: folder.file("here"))
        let failure = try #require(throws: CommandFailure.self) { try evaluator.value(of: .dotenv("A")) }
        #expect(failure.message.hasSuffix("so it is not sent; use --var to give the value"))
    }

    @Test func `a file after <@ is sent only without variables`() throws {
        let (folder, file) = (try Self.folder(), try RequestFile(Array("POST http://h\n\n<@ ./a".utf8), for: .sending))
        func run() throws -> RequestFileRun {
            try RequestFileRun(file, name: nil, [], folder: folder.file("here"))
        }
        #expect(try run().bindings.count == 1)
        try folder.write("a {{b}}", to: "here/a")
        let failure = try #require(throws: CommandFailure.self) { try run() }
        #expect(failure.outcome == .usage && failure.message.hasPrefix("a has variables, which tern-cli does not"))
    }

    @Test func `an absolute path may lead into the folder, and a missing file is for the client`() throws {
        let folder = try Self.folder()
        #expect(Self.path(folder.file("here/a").path, in: folder) != nil)
        #expect(Self.path("missing", in: folder)?.hasSuffix("/here/missing") == true)
    }
}
