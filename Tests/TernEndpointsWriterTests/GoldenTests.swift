// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TernEndpointsWriter

/// Tests that each request file in `TernEndpointsTests` generates the Swift code in `Golden`.
///
/// If a change of the code is intended, `TERN_REWRITE_GOLDEN=1` writes the code again. Review the changes.
@Suite("The code that is made of a request file")
struct GoldenTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    private static let inputs = folder.appending(path: "../../TernEndpointsTests")
    private static let rewrites = ProcessInfo.processInfo.environment["TERN_REWRITE_GOLDEN"] == "1"

    static let names = ["Photos", "bodies", "empty", "escapes", "streams", "words-of-swift"]

    @Test(arguments: names)
    func `the code is as it was`(name: String) throws {
        let input = Self.inputs.appending(path: "\(name).http")
        let output = Self.folder.appending(path: "\(name).swift.txt")
        let generation = Generation(Array(try Data(contentsOf: input)), fileName: input.lastPathComponent)
        let code = try #require(generation.code, "\(generation.diagnostics)")
        if Self.rewrites { try Data(code.utf8).write(to: output) }
        #expect(try String(contentsOf: output, encoding: .utf8) == code)
    }

    @Test func `no file is forgotten`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.inputs.path)
        #expect(files.filter { $0.hasSuffix(".http") }.sorted() == Self.names.map { "\($0).http" }.sorted())
    }

    @Test(arguments: ["\n", "\r\n"])
    func `the end of a line makes no difference`(end: String) throws {
        let input = Self.inputs.appending(path: "Photos.http")
        let text = try String(contentsOf: input, encoding: .utf8)
        let other = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
        let code = Generation(Array(other.utf8), fileName: "Photos.http").code
        #expect(code == Generation(Array(text.utf8), fileName: "Photos.http").code)
    }

    @Test func `the article shows what is made of its file`() throws {
        let path = Self.folder.appending(path: "../../../Sources/Tern/Tern.docc/Articles/EndpointsFromAFile.md")
        let article = try String(contentsOf: path, encoding: .utf8)
        func block(_ start: String) throws -> String {
            let begin = try #require(article.firstRange(of: start)).upperBound
            return String(article[begin..<(try #require(article[begin...].firstRange(of: "```"))).lowerBound])
        }
        let code = try #require(Generation(Array(try block("```http\n").utf8), fileName: "Photos.http").code)
        let shown = try block("<!-- snippet: endpoints-generated -->\n```swift\n")
        // The article breaks lines that would not fit its column.
        func withoutSpaces(_ text: String) -> String { text.filter { !$0.isWhitespace } }
        #expect(withoutSpaces(code).contains(withoutSpaces(shown)))
    }
}
