// SPDX-License-Identifier: Apache-2.0

/// What kind of content something is, such as `text/html; charset=utf-8` (RFC 9110 §8.3.1).
public struct MediaType: Hashable, Sendable {
    /// A parameter: `charset=utf-8`.
    public struct Parameter: Hashable, Sendable {
        /// The name, in lower case.
        public var name: String
        /// The value, as it was, without quotes.
        public var value: String

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - name: the name, in lower case.
        ///   - value: the value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// How long a text may be that is read as a media type, in bytes: 1024.
    ///
    /// Types have 127 at most on either side of the slash (RFC 6838 §4.2), and parameters are few.
    public static let maximumByteCount = 1024

    /// What stands before the slash, in lower case.
    public let type: String
    /// What stands after it, in lower case.
    public let subtype: String
    /// The parameters, in their order; of two with the same name the first, as in browsers.
    public let parameters: [Parameter]

    init(type: String, subtype: String, parameters: [Parameter]) {
        self.type = type
        self.subtype = subtype
        self.parameters = parameters
    }

    /// Reads a media type.
    ///
    /// - Parameter text: the value of `Content-Type`. It is `nil` for anything else, such as a list of types, and for
    ///   more than ``maximumByteCount``.
    /// - Complexity: O(*n*) in the length of the text.
    public init?(_ text: String) {
        var scanner = FieldScanner(text, maximumByteCount: Self.maximumByteCount)
        guard let read = scanner.mediaType(), scanner.isAtEnd else { return nil }
        self = read
    }

    /// Type and subtype without parameters, such as `text/html`.
    public var essence: String { "\(self.type)/\(self.subtype)" }

    /// The format that a type is written in by its suffix: `json` of `application/problem+json` (RFC 6838 §4.2.8).
    public var suffix: String? {
        guard let plus = self.subtype.lastIndex(of: "+") else { return nil }
        return String(self.subtype[self.subtype.index(after: plus)...])
    }

    /// The value of a parameter.
    ///
    /// - Parameter name: its name, in lower case.
    /// - Returns: the value; `nil` if there is no such parameter.
    public subscript(_ name: String) -> String? { self.parameters.first { $0.name == name }?.value }
}

extension MediaType: CustomStringConvertible {
    /// Type and subtype: the parameters may hold anything.
    public var description: String { self.essence }
}
