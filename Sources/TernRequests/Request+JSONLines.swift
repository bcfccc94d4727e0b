// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

extension Request {
    /// Sets the body to the values of an asynchronous sequence, encoded as one line of JSON each, with the media type
    /// `application/x-ndjson`.
    ///
    /// The client encodes a value when it needs one, as in ``body(stream:length:contentType:)``, so a slow server usually slows the
    /// sequence down. To send the body again, it asks the delegate for a new one. If a value cannot be encoded, or the
    /// sequence throws, a call that still needs the body fails with `ClientError.uploadFailed`. Line feeds between the parts of a
    /// value, as with `.prettyPrinted`, become spaces.
    public func body<Values: AsyncSequence & Sendable>(
        jsonLines values: Values,
        encoder: JSONEncoder = JSONEncoder()
    ) -> Request where Values.Element: Encodable {
        self.with { request in
            request.body = .stream(JSONLines(values: values, encoder: encoder), contentType: "application/x-ndjson")
        }
    }
}

private struct JSONLines<Values: AsyncSequence & Sendable>: AsyncSequence, Sendable where Values.Element: Encodable {
    let values: Values
    let encoder: JSONEncoder

    func makeAsyncIterator() -> Iterator {
        Iterator(values: self.values.makeAsyncIterator(), encoder: self.encoder)
    }

    struct Iterator: AsyncIteratorProtocol {
        private static var lineFeed: UInt8 { UInt8(ascii: "\n") }

        var values: Values.AsyncIterator
        let encoder: JSONEncoder

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard let value = try await self.values.next(isolation: actor) else { return nil }
            var line = try self.encoder.encode(value)
            // In JSON, a line feed is always between tokens; within a string it is escaped (RFC 8259 §7).
            for place in line.indices where line[place] == Self.lineFeed { line[place] = UInt8(ascii: " ") }
            line.append(Self.lineFeed)
            return line
        }
    }
}
