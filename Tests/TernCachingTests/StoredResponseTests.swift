// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCaching
import TestSupport
import Testing

@Suite("Stored heads")
struct StoredResponseTests {
    private static let head = StoredResponse(
        statusCode: 200,
        reasonPhrase: "Fine",
        fields: [.eTag: "\"a\"", .contentType: "text/plain", .cacheControl: "max-age=5"],
        requestTime: -5,
        responseTime: 7,
        variant: StoredResponse.Variant(nominations: [
            .init(name: "accept", digest: "x"), .init(name: "cookie", digest: nil),
        ])
    )

    @Test func `what is encoded is decoded`() throws {
        var head = Self.head
        let name = try #require(HTTPField.Name("X-Bytes"))
        head.fields.append(HTTPField(name: name, value: [0xFF, 0x20, 0xE4]))
        let again = try #require(StoredResponse(decoding: head.encoded))
        #expect(again == head)
        #expect(again.reasonPhrase == "Fine" && again.requestTime == -5)
        let bytes = again.fields[fields: name].first?.withUnsafeBytesOfValue { Array($0) }
        #expect(bytes == [0xFF, 0x20, 0xE4])
    }

    @Test func `a head that is cut or longer is none`() {
        let bytes = Self.head.encoded
        for end in bytes.indices { #expect(StoredResponse(decoding: Array(bytes[..<end])) == nil) }
        #expect(StoredResponse(decoding: bytes + [0]) == nil)
    }

    @Test(arguments: [Int.min, -1, 0, 199, 600, .max])
    func `a head whose status is no final status is encoded, and not decoded`(statusCode: Int) {
        var head = Self.head
        head.statusCode = statusCode
        #expect(StoredResponse(decoding: head.encoded) == nil)
    }

    @Test func `a head that was altered is none, or another, and never a trap`() {
        let bytes = Self.head.encoded
        var differing = 0
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 0x0A, 0x7F, 0xFF] where bytes[index] != value {
                var altered = bytes
                altered[index] = value
                if StoredResponse(decoding: altered) != Self.head { differing += 1 }
            }
        }
        #expect(differing > 0)
    }

    @Test func `fields of the connection and of the moment are not stored`() {
        let fields: HTTPFields = [
            .connection: "close, X-Hop", .transferEncoding: "chunked", .setCookie: "a=b", .upgrade: "h2c",
            .eTag: "\"a\"", .date: "Sun, 06 Nov 1994 08:49:37 GMT",
        ]
        var all = fields
        if let hop = HTTPField.Name("x-hop") { all[hop] = "1" }
        let stored = StoredResponse.storedFields(of: all, receivedAt: 0)
        #expect(stored == [.eTag: "\"a\"", .date: "Sun, 06 Nov 1994 08:49:37 GMT"])
    }

    @Test func `descriptions hold no field`() {
        #expect(Self.head.description == "stored response 200")
    }
}
