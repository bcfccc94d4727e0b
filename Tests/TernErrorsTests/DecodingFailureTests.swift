// SPDX-License-Identifier: Apache-2.0
import TernErrors
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("DecodingFailure")
struct DecodingFailureTests {
    private struct Page: Decodable {
        struct User: Decodable {
            var name: String
            var tags: [String: Int]
        }
        var users: [User]
    }

    private func failure(_ json: String) -> DecodingFailure? {
        do {
            _ = try JSONDecoder().decode(Page.self, from: Data(json.utf8))
            return nil
        } catch {
            return DecodingFailure(error, decoding: Page.self)
        }
    }

    @Test(arguments: [
        ("{}", DecodingFailure.Reason.keyNotFound, "users"),
        (#"{"users":[{"name":"a","tags":{}},{"tags":{}}]}"#, .keyNotFound, "users[1].name"),
        (#"{"users":[{"name":null,"tags":{}}]}"#, .valueNotFound, "users[0].name"),
        (#"{"users":[{"name":7,"tags":{}}]}"#, .typeMismatch, "users[0].name"),
        (#"{"users":[{"name":"a","tags":{"s3cr3t":"x"}}]}"#, .typeMismatch, "users[0].tags.*"),
        ("[]", .typeMismatch, ""),
        ("{", .corrupted, ""),
        ("", .corrupted, ""),
    ])
    func `says what is wrong and where, without the content`(
        json: String,
        reason: DecodingFailure.Reason,
        path: String
    ) throws {
        let failure = try #require(self.failure(json))
        #expect(failure.reason == reason)
        #expect(failure.path == path)
        #expect(failure.type == "Page")
        #expect(!"\(failure)".contains("s3cr3t"))
    }

    @Test func `a key that is made of what was found is content`() {
        struct Found: CodingKey {
            let intValue: Int? = nil
            var stringValue: String
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        let context = DecodingError.Context(codingPath: [Found(stringValue: "s3cr3t")], debugDescription: "")
        let failure = DecodingFailure(DecodingError.valueNotFound(Int.self, context), decoding: Page.self)
        #expect(failure.path == "*")
    }

    @Test func `an error of another type is named by its type alone`() {
        struct Broken: Error { var secret = "s3cr3t" }
        let failure = DecodingFailure(Broken(), decoding: Page.self)
        #expect(failure.reason == .other(type: "Broken"))
        #expect(failure.path.isEmpty)
    }

    @Test func `a path is not as long as the server likes`() {
        struct Key: CodingKey {
            let intValue: Int?
            var stringValue: String { "\(self.intValue ?? 0)" }
            init(intValue: Int) { self.intValue = intValue }
            init?(stringValue: String) { nil }
        }
        let path = (0..<1000).map { Key(intValue: $0) }
        let error = DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "s3cr3t"))
        let failure = DecodingFailure(error, decoding: Page.self)
        #expect(failure.path.utf8.count < 100)
        #expect(failure.path.hasSuffix("[15]…"))
    }
}
