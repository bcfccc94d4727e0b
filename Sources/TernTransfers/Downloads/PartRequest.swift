// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

package struct PartRequest: Hashable, Sendable {
    /// `nil` for a request without `Range`.
    package let first: Int64?
    /// `nil` for everything from the first byte on.
    package let end: Int64?
    /// The validator that the representation must still have; `nil` if no bytes of the file count.
    package let validator: ResourceValidator?

    package static let whole = PartRequest(first: nil, end: nil, validator: nil)

    /// A request for the first bytes of an unknown representation, whose response tells whether the server sends ranges.
    package static func beginning(byteCount: Int64) -> PartRequest {
        PartRequest(first: 0, end: byteCount, validator: nil)
    }

    package static func part(from first: Int64, to end: Int64?, of validator: ResourceValidator) -> PartRequest {
        PartRequest(first: first, end: end, validator: validator)
    }

    private init(first: Int64?, end: Int64?, validator: ResourceValidator?) {
        self.first = first
        self.end = end
        self.validator = validator
    }

    var isBeginning: Bool { self.first != nil && self.validator == nil }

    /// Replaces fields of the same names, and accepts no content coding (RFC 9110 §12.5.3): a range counts coded bytes (§14.1.2),
    /// and two coded forms of one content may differ.
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
