// SPDX-License-Identifier: Apache-2.0

/// A media type, such as `text/html; charset=utf-8` (RFC 9110 §8.3.1).
package struct MediaType: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        /// The name, in lower case.
        package var name: String
        /// The value without quotes and escapes, otherwise unchanged.
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The maximum length of a media type in bytes; each side of the slash has at most 127 (RFC 6838 §4.2).
    package static let maximumByteCount = 1024

    package let type: String
    package let subtype: String
    /// The parameters, in their order; of two with the same name, only the first is kept, as in browsers.
    package let parameters: [Parameter]

    package init(type: String, subtype: String, parameters: [Parameter]) {
        self.type = type
        self.subtype = subtype
        self.parameters = parameters
    }

    /// Creates a media type from the value of `Content-Type`; `nil` if the text is not exactly one valid type.
    package init?(_ text: String) {
        var scanner = FieldScanner(text, maximumByteCount: Self.maximumByteCount)
        guard let read = scanner.mediaType(), scanner.isAtEnd else { return nil }
        self = read
    }

    /// The type and the subtype without parameters, such as `text/html`.
    package var essence: String { "\(self.type)/\(self.subtype)" }

    /// The format that the suffix names: `json` for `application/problem+json` (RFC 6838 §4.2.8).
    package var suffix: String? {
        guard let plus = self.subtype.lastIndex(of: "+") else { return nil }
        return String(self.subtype[self.subtype.index(after: plus)...])
    }

    package subscript(_ name: String) -> String? { self.parameters.first { $0.name == name }?.value }
}

extension MediaType: CustomStringConvertible {
    package var description: String { self.essence }
}
