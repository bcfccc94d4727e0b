// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Bodies as text", .hangLimit)
struct StringTests {
    private static func text(_ bytes: [UInt8], type: String?) async throws -> String {
        let fields: HTTPFields = type.map { [.contentType: $0] } ?? [:]
        let scene = ClientScene { _ in .response(fields: fields, bytes: bytes) }
        return try await scene.client.string(from: testURL)
    }

    static let texts: [(type: String?, bytes: [UInt8], text: String)] = [
        (nil, Array("grün".utf8), "grün"), ("text/plain", Array("grün".utf8), "grün"),
        ("application/json", Array("grün".utf8), "grün"), ("text/plain; charset=UTF-8", Array("grün".utf8), "grün"),
        ("text/plain", [], ""), ("text/plain", [0x61, 0xFF, 0x62], "a\u{FFFD}b"),
        ("text/plain; charset=iso-8859-1", [0x67, 0x72, 0xFC, 0x6E], "grün"),
        ("text/plain; charset=\"Windows-1252\"", [0x80, 0x81, 0x9F], "€\u{81}Ÿ"),
        ("text/plain; charset=utf-16", [0x67, 0, 0xFC, 0], "gü"),
        ("text/plain; charset=utf-16be", [0, 0x67, 0, 0xFC, 0x61], "gü\u{FFFD}"),
        ("text/plain; charset=iso-8859-1", [0xEF, 0xBB, 0xBF] + Array("grün".utf8), "grün"),
        ("text/plain", [0xFE, 0xFF, 0, 0x67], "g"), ("text/plain", [0xFF, 0xFE, 0x67, 0], "g"),
        ("nonsense", Array("grün".utf8), "grün"),
        ("text/plain; charset=utf-16, text/plain; charset=l1", [0x67, 0x72, 0xFC, 0x6E], "grün"),
        ("text/plain; charset=us-ascii", [0x67, 0x72, 0xFC, 0x6E], "grün"),
        ("text/plain; charset=\" ISO_8859-1:1987 \"", [0x80], "€"),
        ("text/plain; charset=unicodeFFFE", [0, 0x67], "g"), ("text/plain; charset=ucs-2", [0x67, 0], "g"),
    ]

    @Test(arguments: texts)
    func `a mark decides, then the charset, then UTF-8`(type: String?, bytes: [UInt8], text: String) async throws {
        #expect(try await Self.text(bytes, type: type) == text)
    }

    @Test func `another charset is refused, and the body is kept`() async {
        let error = await #expect(throws: ClientError.self) {
            try await Self.text([1, 2, 3], type: "text/plain; charset=shift_jis")
        }
        guard case .decodingFailed(let failure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .other(type: "UnknownCharset(shift_jis)"))
        #expect("\(failure)".contains("shift_jis"))
        #expect(failure.type == "String")
        #expect(failure.body == Data([1, 2, 3]))
        #expect(failure.isBodyComplete)
    }

    @Test func `the name of a charset is safe to show`() async {
        let error = await #expect(throws: ClientError.self) {
            try await Self.text([1], type: "text/plain; charset=\"x (y)\(String(repeating: "z", count: 100))\"")
        }
        guard case .decodingFailed(let failure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .other(type: "UnknownCharset(x??y?\(String(repeating: "z", count: 35)))"))
    }

    @Test func `the page that reports an error is not the text`() async throws {
        let scene = ClientScene { _ in .response(.notFound, body: "not here") }
        let error = await #expect(throws: ClientError.self) { try await scene.client.string(from: testURL) }
        #expect(error?.status == .notFound)
        let request = Request(url: testURL).validate(.status(200...499))
        #expect(try await scene.client.string(for: request) == "not here")
    }

    @Test func `the limit of what is kept in memory holds`() async {
        var configuration = Client.Configuration()
        configuration.maximumBodyByteCount = 3
        let scene = ClientScene(configuration) { _ in .response(body: "four") }
        let error = await #expect(throws: ClientError.self) { try await scene.client.string(from: testURL) }
        guard case .bodyTooLarge(limit: 3, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
