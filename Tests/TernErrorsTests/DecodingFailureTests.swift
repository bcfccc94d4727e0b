// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import Testing

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

    @Test(
        arguments: [
            (#"{"users":[{"name":7,"tags":{}}]}"#, "String", "a number"),
            (#"{"users":[{"name":true,"tags":{}}]}"#, "String", "a Boolean"),
            (#"{"users":[{"name":[],"tags":{}}]}"#, "String", "an array"),
            (#"{"users":[{"name":{},"tags":{}}]}"#, "String", "an object"),
            (#"{"users":[{"name":"a","tags":{"s3cr3t":"x"}}]}"#, "Int", "a string"),
            (#"{"users":[{"name":null,"tags":{}}]}"#, "String", "null"),
        ]
    )
    func `names the type that was expected and the kind that was found`(
        json: String,
        expected: String,
        found: String
    ) throws {
        let failure = try #require(self.failure(json))
        #expect(failure.expectedType == expected)
        #expect(failure.foundType == found)
        #expect(failure.underlyingError is DecodingError)
        var dumped = ""
        dump(failure, to: &dumped)
        #expect(!dumped.contains("s3cr3t"))
    }

    @Test func `a text of a decoder is not repeated`() {
        let context = DecodingError.Context(codingPath: [], debugDescription: "but found s3cr3t instead")
        let failure = DecodingFailure(DecodingError.typeMismatch(Int.self, context), decoding: Page.self)
        #expect(failure.foundType == nil)
        #expect(failure.expectedType == "Int")
    }

    @Test func `a key that is a number is content`() throws {
        struct Cards: Decodable { var owners: [String: Int] }
        struct Years: Decodable { var byYear: [Int: Int] }
        let cards = Data(#"{"owners":{"4111111111111111":"x"}}"#.utf8)
        let years = Data(#"{"byYear":{"4111111111111111":"x"}}"#.utf8)
        let first = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Cards.self, from: cards) }
        let second = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Years.self, from: years) }
        #expect(DecodingFailure(try #require(first), decoding: Cards.self).path == "owners.*")
        #expect(DecodingFailure(try #require(second), decoding: Years.self).path == "byYear.*")
        let found = [Found(stringValue: "4111111111111111", intValue: 4_111_111_111_111_111)]
        let error = DecodingError.dataCorrupted(.init(codingPath: found, debugDescription: ""))
        #expect(DecodingFailure(error, decoding: Cards.self).path == "*")
    }

    /// Coding keys like those of the standard library for dictionaries.
    private struct Found: CodingKey {
        var stringValue: String
        var intValue: Int?
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
        init(stringValue: String, intValue: Int) { (self.stringValue, self.intValue) = (stringValue, intValue) }
    }

    @Test func `an enumeration with numbers names its cases`() {
        enum Key: Int, CodingKey { case name = 7 }
        let error = DecodingError.dataCorrupted(.init(codingPath: [Key.name], debugDescription: ""))
        #expect(DecodingFailure(error, decoding: Page.self).path == "name")
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
            var stringValue: String { "Index \(self.intValue ?? 0)" }
            init(intValue: Int) { self.intValue = intValue }
            init?(stringValue: String) { nil }
        }
        let path = (0..<1000).map { Key(intValue: $0) }
        let error = DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "s3cr3t"))
        let failure = DecodingFailure(error, decoding: Page.self)
        #expect(failure.path.utf8.count < 100)
        #expect(failure.path.hasSuffix("[15]…"))
    }

    @Test(
        arguments: [
            ("text/html", "text/html"), ("Text/HTML; charset=utf-8", "text/html"), (" text/plain ;a", "text/plain"),
            ("application/json", nil), ("application/json; charset=utf-8", nil), ("application/problem+json", nil),
            ("text/json", nil), ("", nil), ("text", nil), ("text/", nil), ("/html", nil), ("a/b/c", nil),
            ("a b/c", nil), ("text/html, text/html", "text/html"), ("image/png, text/html", "text/html"),
            ("text/html, application/json", nil), ("text/html, */*", "text/html"),
            ("text/\u{202E}html", nil), (String(repeating: "a", count: 99) + "/b", nil),
        ] as [(String, String?)]
    )
    func `the media type explains a body that is malformed as a whole`(field: String, type: String?) throws {
        let response = HTTPResponse(status: .ok, headerFields: [.contentType: field])
        let context = ClientError.Context(phase: .decode, origin: "https://a.example:443", response: response)
        for text in ["<html>", "{"] {
            let error = ClientError.decodingFailed(try #require(self.failure(text)), context)
            let log = "\(error)"
            #expect(log.contains("the data is malformed"))
            #expect(log.contains("; the media type of the response is \(type ?? "")") == (type != nil))
            let sentence = error.errorDescription ?? ""
            #expect(sentence.contains("\"\(type ?? "")\"") == (type != nil))
            #expect(sentence.count <= Sentence.maximumLength)
        }
        let missing = ClientError.decodingFailed(try #require(self.failure("{}")), context)
        #expect(!"\(missing) \(missing.errorDescription ?? "")".contains(" type "))
    }

    @Test func `without a response there is no media type`() throws {
        let context = ClientError.Context(phase: .messages)
        let error = ClientError.decodingFailed(try #require(self.failure("<html>")), context)
        #expect("\(error)".contains("could not be decoded as Page: the data is malformed (phase messages"))
    }
}
