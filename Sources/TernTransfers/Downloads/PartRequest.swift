// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// The next request of a download: for the whole representation, or for one range of its bytes.
package struct PartRequest: Hashable, Sendable {
    /// The first requested byte; `nil` for a request without `Range`.
    package let first: Int64?
    /// The position after the last requested byte; `nil` for everything from the first byte on.
    package let end: Int64?
    /// The validator that the representation must still have; `nil` if no bytes of the file count.
    package let validator: ResourceValidator?

    /// A request for the whole representation.
    package static let whole = PartRequest(first: nil, end: nil, validator: nil)

    /// Creates a request for the first bytes of a representation that the client does not know yet.
    ///
    /// The response tells whether the server sends ranges, and how the rest can be divided. A server that sends no
    /// ranges answers with the whole representation.
    ///
    /// - Parameter byteCount: The number of bytes, at least 1.
    /// - Returns: The request.
    package static func beginning(byteCount: Int64) -> PartRequest {
        PartRequest(first: 0, end: byteCount, validator: nil)
    }

    /// Creates a request for a range.
    ///
    /// - Parameters:
    ///   - first: The first byte.
    ///   - end: The position after the last byte; `nil` for everything from the first byte on.
    ///   - validator: The validator of the representation that the range must come from.
    /// - Returns: The request.
    package static func part(from first: Int64, to end: Int64?, of validator: ResourceValidator) -> PartRequest {
        PartRequest(first: first, end: end, validator: validator)
    }

    private init(first: Int64?, end: Int64?, validator: ResourceValidator?) {
        self.first = first
        self.end = end
        self.validator = validator
    }

    /// Whether the request is for the first bytes of a representation that the client does not know yet.
    var isBeginning: Bool { self.first != nil && self.validator == nil }

    /// The fields that this request sets, in place of any others with the same names.
    ///
    /// A range counts the bytes of the coded content (RFC 9110 §14.1.2), and two coded forms of one content may differ.
    /// So the request accepts no content coding (§12.5.3).
    package var fields: HTTPFields {
        var fields: HTTPFields = [.acceptEncoding: "identity"]
        if let first = self.first {
            fields[.range] = "bytes=\(first)-\(self.end.map { String($0 - 1) } ?? "")"
            // If the validator does not match, the server ignores `Range` and sends the whole representation (RFC 9110
            // §13.1.5).
            if let validator = self.validator { fields[.ifRange] = validator.condition }
        }
        return fields
    }
}
