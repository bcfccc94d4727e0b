// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors

/// The data that validation rules check: the head of a response, and the parts of the request that matter.
package struct ValidationSubject: Sendable {
    /// The maximum number of characters of a media type in an error, limited because the server chose the text.
    private static let shownByteCount = 64

    package var response: HTTPResponse
    package var method: HTTPRequest.Method
    package var accept: String?
    /// The length of the body in bytes, if it is known before the body is read.
    package var length: Int64?

    package init(
        _ response: HTTPResponse,
        method: HTTPRequest.Method = .get,
        accept: String? = nil,
        length: Int64? = nil
    ) {
        self.response = response
        self.method = method
        self.accept = accept
        self.length = length
    }

    /// Returns the rule that is broken; does not run custom rules, and assumes that they hold.
    package func violation(of rule: ValidationRule) -> ValidationFailure.Rule? {
        switch rule.content {
        case .status(let set):
            let code = self.response.status.code
            return set.contains(code) ? nil : .status(code)
        case .contentType(let ranges, let isRequired): return self.violation(of: ranges, isRequired: isRequired)
        case .accepted:
            guard let ranges = self.accept.flatMap({ MediaRange.weighted(accept: $0) }), !ranges.isEmpty else {
                return nil
            }
            return self.hasBytes ? self.violation { Self.accepts($0, ranges) } : nil
        case .length(let byteCounts):
            guard let length = self.length, self.hasContent, !byteCounts.contains(length) else { return nil }
            return .length(length)
        case .requiredField(let name, let text):
            return name.map { self.response.headerFields.contains($0) } == true ? nil : .missingField(text)
        case .custom: return nil
        case .any(let rules):
            let violations = rules.map { self.violation(of: $0) }
            return violations.contains(nil) ? nil : violations.first ?? nil
        }
    }

    private func violation(of ranges: [MediaRange], isRequired: Bool) -> ValidationFailure.Rule? {
        guard self.hasBytes || isRequired && self.response.status != .noContent else { return nil }
        return self.violation { type in ranges.contains { $0.contains(type) } }
    }

    /// Returns whether a type is acceptable according to the most specific range that contains it.
    private static func accepts(_ type: MediaType, _ ranges: [(range: MediaRange, isRefused: Bool)]) -> Bool {
        let matching = ranges.filter { $0.range.contains(type) }
        guard let precision = matching.map(\.range.precision).max() else {
            // No range contains the type. If the field lists only unacceptable types, all others are acceptable.
            return ranges.allSatisfy(\.isRefused)
        }
        return matching.contains { $0.range.precision == precision && !$0.isRefused }
    }

    private func violation(unless isAccepted: (MediaType) -> Bool) -> ValidationFailure.Rule? {
        let type = MediaType(of: self.response.headerFields)
        // "If a Content-Type header field is not present, the recipient MAY either assume a media type of
        // "application/octet-stream" […] or examine the data" (RFC 9110 §8.3). A guess would be no better than an
        // unknown type.
        let known = type ?? MediaType(type: "", subtype: "", parameters: [])
        return isAccepted(known) ? nil : .contentType(type.map { String($0.essence.prefix(Self.shownByteCount)) })
    }

    private var hasBytes: Bool { self.hasContent && self.length != 0 }

    /// Whether the response may have content (RFC 9110 §6.4.1).
    package var hasContent: Bool {
        switch self.response.status.code {
        case 100..<200, 204, 205, 304: false
        default: self.method != .head
        }
    }
}
