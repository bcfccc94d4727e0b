// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernWebSocketCore
import Testing

/// A server's response to a handshake with the key of RFC 6455 §1.3, and the expected result.
struct HandshakeVector: CustomTestStringConvertible, Sendable {
    typealias Outcome = Result<AcceptedHandshake, HandshakeViolation>

    var testDescription: String
    var status = 101
    var subprotocols: [String] = []
    var deflate: PerMessageDeflate.Offer?
    var fields: [(HTTPField.Name, String)]
    var expected: Outcome

    /// The fields that every valid response has.
    static let good: [(HTTPField.Name, String)] = [
        (.upgrade, "websocket"), (.connection, "Upgrade"), (.secWebSocketAccept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    ]

    init(
        _ section: String,
        _ rule: String,
        status: Int = 101,
        offering subprotocols: [String] = [],
        compressing deflate: PerMessageDeflate.Offer? = nil,
        _ fields: [(HTTPField.Name, String)],
        _ expected: Outcome
    ) {
        self.testDescription = "\(section) \(rule)"
        (self.status, self.subprotocols, self.deflate) = (status, subprotocols, deflate)
        (self.fields, self.expected) = (fields, expected)
    }

    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        var nonce = SampleNonce()
        let handshake = try ClientHandshake(subprotocols: self.subprotocols, deflate: self.deflate, using: &nonce)
        var fields = HTTPFields()
        for (name, value) in self.fields { fields.append(HTTPField(name: name, value: value)) }
        let outcome = Outcome { () throws(HandshakeViolation) in
            try handshake.check(status: self.status, fields: fields)
        }
        #expect(outcome == self.expected, sourceLocation: sourceLocation)
    }

    private struct SampleNonce: RandomNumberGenerator {
        private var bytes = Array("the sample nonce".utf8)[...]

        mutating func next() -> UInt64 {
            defer { self.bytes = self.bytes.dropFirst(8) }
            return self.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
