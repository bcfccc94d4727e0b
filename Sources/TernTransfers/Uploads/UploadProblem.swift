// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import TernErrors
import TernFoundation
import TernValidation

/// The problem that a response describes in its body (RFC 9457), if the draft defines its type.
package enum UploadProblem: Hashable, Sendable {
    /// The offset of the request is not that of the upload; the values are the members `expected-offset` and `provided-offset`.
    case mismatchingOffset(expected: Int64?, provided: Int64?)
    case completed
    case inconsistentLength

    private static let registry = "https://iana.org/assignments/http-problem-types#"

    package static let maximumByteCount = 64 << 10

    /// The statuses with which the draft sends its problems; of other responses, the driver reads no more than a refusal needs.
    private static let statuses: Set<Int> = [400, 409, 410]

    /// Returns whether the driver must read the body before it reports the response.
    package static func isExpected(status: Int, fields: HTTPFields) -> Bool {
        self.statuses.contains(status) && MediaType(of: fields)?.essence == ProblemDetails.mediaType
    }

    private struct Content: Decodable {
        enum CodingKeys: String, CodingKey {
            case type
            case expected = "expected-offset"
            case provided = "provided-offset"
        }

        var type: String
        var expected: Int64?
        var provided: Int64?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.type = try container.decode(String.self, forKey: .type)
            // A member with another type is ignored, like one that is missing (RFC 9457 §3.1).
            self.expected = try? container.decodeIfPresent(Int64.self, forKey: .expected)
            self.provided = try? container.decodeIfPresent(Int64.self, forKey: .provided)
        }
    }

    package init?(decoding body: [UInt8]) {
        guard body.count <= Self.maximumByteCount,
            let content = try? JSONDecoder().decode(Content.self, from: Data(body)),
            content.type.hasPrefix(Self.registry)
        else { return nil }
        switch content.type.dropFirst(Self.registry.count) {
        case "mismatching-upload-offset":
            self = .mismatchingOffset(expected: content.expected, provided: content.provided)
        case "completed-upload": self = .completed
        case "inconsistent-upload-length": self = .inconsistentLength
        default: return nil
        }
    }
}
