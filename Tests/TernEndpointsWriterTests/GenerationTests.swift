// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernEndpointsWriter

@Suite("What the generator tells")
struct GenerationTests {
    /// Returns the text without Swift's escapes.
    private static func withoutEscapes(_ text: String) -> [Unicode.Scalar] {
        var rest = Array(text.unicodeScalars)[...]
        var left: [Unicode.Scalar] = []
        while let scalar = rest.popFirst() {
            if scalar == "\\", let next = rest.first, "\\\"tnu".unicodeScalars.contains(next) {
                rest.removeFirst()
            } else {
                left.append(scalar)
            }
        }
        return left
    }

    @Test func `errors give no code`() {
        let generation = Generation(Array("GET http://h/a b".utf8), fileName: "Photos.http")
        #expect(generation.code == nil)
        #expect(generation.diagnostics.count == 1)
        #expect(generation.diagnostics.first?.hasPrefix("1:15: error: ") == true)
    }

    @Test func `a request without a name is told, and becomes no method`() {
        let generation = Generation(Array("\nGET http://h".utf8), fileName: "Photos.http")
        #expect(generation.code?.contains("func ") == false)
        #expect(generation.diagnostics.count == 1)
        #expect(generation.diagnostics.first?.hasPrefix("2:1: warning: ") == true)
    }

    @Test func `Foundation is imported where it is needed, and as far`() throws {
        func imports(_ request: String) throws -> [String] {
            let text = "# @access public\n###\n# @name a\n\(request)"
            let code = try #require(Generation(Array(text.utf8), fileName: "Photos.http").code)
            return code.split(separator: "\n").map { "\($0)" }.filter { $0.hasSuffix("import Foundation") }
        }
        #expect(try imports("GET http://h") == ["public import Foundation"])
        #expect(try imports("# @returns Date\nGET http://h") == ["public import Foundation"])
        #expect(try imports("# @returns Void\nPUT http://h\n\n< ./a") == ["public import Foundation"])
        #expect(try imports("# @returns Void\nPUT http://h\n\na") == ["import Foundation"])
        #expect(try imports("# @returns Photo\nGET http://h").isEmpty)
        #expect(try imports("# @returns Events\nGET http://h").isEmpty)
        #expect(try imports("# @returns Events of Photo\nGET http://h").isEmpty)
        #expect(try imports("# @returns Events of Date\nGET http://h") == ["public import Foundation"])
        #expect(try imports("# @returns Values of [URL]\nGET http://h") == ["public import Foundation"])
        let day = "# @param day: Date\n# @returns Photo\nGET http://h/?d={{day}}"
        #expect(try imports(day) == ["public import Foundation"])
    }

    @Test(arguments: [
        ("Photos.http", "Photos"), ("photo-album.http", "PhotoAlbum"), ("my photos.v2.http", "MyPhotos"),
        ("_a.http", "_a"),
        ("v2Photos.http", "V2Photos"),
    ])
    func `a type is named after its file`(file: String, type: String) {
        #expect(SwiftNames.typeName(forFile: file) == type)
    }

    @Test(arguments: [
        "2photos.http", ".http", "größe.http", "a+b.http", "Request.http", "client.http", "-.http", "_.http",
        "event-stream.http", "DecodedEvents.http",
    ])
    func `a file whose name gives none is refused`(file: String) {
        let generation = Generation(Array("GET http://h".utf8), fileName: file)
        #expect(generation.code == nil)
        #expect(generation.diagnostics.contains { $0.hasPrefix("1:1: error: '\(file)'") })
    }

    @Test(arguments: [
        "Photos.\nlet x = 1 //.http", "Photos\n.http", "Photos.\r.http", "Photos.\r\n.http", "Photos.\u{0}.http",
        "Photos.\u{B}.http", "Photos.\u{7F}.http", "Photos.\u{85}.http", "Photos.\u{2028}.http", "Photos.\u{2029}.http",
        "Photos.http\n",
    ])
    func `the name of a file writes no line of code`(file: String) {
        let generation = Generation(Array("# @name a\nGET http://h".utf8), fileName: file)
        #expect(generation.code == nil)
        #expect(generation.diagnostics.count == 1)
        #expect(generation.diagnostics.allSatisfy { $0.hasPrefix("1:1: error: ") && !$0.contains(file) })
    }

    @Test(arguments: [
        "a\"b", "a\\(b)", "a\\", "\t", "\\\u{301}", "\"\"\"", "\"\"\"\u{301}", "\"\"\"\u{200D}", "\"\"\"\u{302A}",
        "\"\"\"\u{FE0F}",
        "\u{600}\"\"\"", "\"\"\"\"\"\"\"", "a\rb", "a\r\nb", "a\u{0}b", "a\u{85}b", "a\u{2028}b",
    ])
    func `text does not leave its quotes, nor its line`(text: String) {
        let literal = Self.withoutEscapes(SwiftNames.literal(text))
        #expect(!literal.contains { $0 == "\"" || $0 == "\\" || $0.value < 0x20 })
        let lines = Self.withoutEscapes(SwiftNames.lines(text))
        // Compares scalars, like the compiler.
        let isOpen = lines.indices.dropFirst(2).allSatisfy { index in
            !(lines[index] == "\"" && lines[index - 1] == "\"" && lines[index - 2] == "\"")
        }
        #expect(isOpen && !lines.contains { $0 == "\\" || $0 == "\r" || $0.value == 0 || $0.value == 0x85 })
    }
}
