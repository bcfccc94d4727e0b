// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// The value of a structured field that is a dictionary (RFC 9651 §3.2).
package struct StructuredFieldDictionary: Hashable, Sendable {
    package static let maximumMemberCount = 32

    /// The members by key; `nil` stands for an inner list, whose items are checked and then ignored.
    package private(set) var members: [String: StructuredFieldItem?] = [:]

    /// Reads a field (RFC 9651 §4.2.2); `nil` if it is not valid, or longer than the limits; a missing field has no members.
    package init?(_ name: HTTPField.Name, in fields: HTTPFields) {
        guard var scanner = StructuredFieldScanner(fields.lines(name)) else { return nil }
        while !scanner.isAtEnd {
            guard let key = scanner.readKey() else { return nil }
            var value: StructuredFieldItem?
            if !scanner.read("=") {
                value = .boolean(true)
            } else if scanner.current == UInt8(ascii: "(") {
                guard scanner.skipInnerList() else { return nil }
            } else {
                value = scanner.readBareItem()
                guard value != nil else { return nil }
            }
            guard scanner.skipParameters() else { return nil }
            // "If dictionary already contains a key … overwrite its value" (§4.2.2).
            self.members.updateValue(value, forKey: key)
            guard self.members.count <= Self.maximumMemberCount, scanner.readSeparator() else { return nil }
        }
    }
}
