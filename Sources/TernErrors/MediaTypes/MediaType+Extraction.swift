// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

extension MediaType {
    /// Creates the media type of a message, as browsers do (WHATWG Fetch, "extract a MIME type").
    ///
    /// The last valid type counts, except `*/*`; the `charset` of a type before it remains if the essence is the same. Decisions
    /// that depend on the media type of a response use this function, so that all see the same type.
    ///
    /// - Parameter fields: The fields of the message.
    /// - Complexity: O(*n*) in the length of the field values.
    package init?(of fields: HTTPFields) {
        // "Get, decode, and split": the values of several fields form one list.
        guard let field = fields[.contentType] else { return nil }
        var (result, charset): (MediaType?, String?) = (nil, nil)
        for element in Self.elements(of: field) {
            guard element.count <= Self.maximumByteCount, let type = MediaType(parsing: element),
                type.type != "*" || type.subtype != "*"
            else { continue }
            if type.essence != result?.essence {
                charset = type["charset"]
                result = type
            } else if let charset, type["charset"] == nil {
                let parameters = type.parameters + [Parameter(name: "charset", value: charset)]
                result = MediaType(type: type.type, subtype: type.subtype, parameters: parameters)
            } else {
                result = type
            }
        }
        guard let result else { return nil }
        self = result
    }

    private static func elements(of value: String) -> [ArraySlice<UInt8>] {
        var (isQuoted, isEscaped) = (false, false)
        return Array(value.utf8).split { byte in
            defer { isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
    }

    /// Parses one type (WHATWG MIME Sniffing §4.4, "parse a MIME type").
    private init?(parsing text: ArraySlice<UInt8>) {
        let parts = text.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
        let names = parts[0].split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard names.count == 2 else { return nil }
        let (type, subtype) = (names[0].drop(while: Self.isSpace), Self.trimmingEnd(names[1]))
        guard Self.isToken(type), Self.isToken(subtype) else { return nil }
        self.init(
            type: Self.lowercased(type),
            subtype: Self.lowercased(subtype),
            parameters: parts.count == 2 ? Self.parameters(in: parts[1]) : []
        )
    }

    /// Returns the valid parameters; of two with the same name, the first.
    private static func parameters(in text: ArraySlice<UInt8>) -> [Parameter] {
        var (rest, parameters): (ArraySlice<UInt8>, [Parameter]) = (text, [])
        while !rest.isEmpty {
            rest = rest.drop(while: self.isSpace)
            let name = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
            rest = rest[name.endIndex...]
            if rest.first == UInt8(ascii: "="), let value = self.value(from: &rest), self.isToken(name),
                value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") })
            {
                let parameter = Parameter(name: self.lowercased(name), value: String(decoding: value, as: UTF8.self))
                if !parameters.contains(where: { $0.name == parameter.name }) { parameters.append(parameter) }
            }
            rest = rest.drop { $0 != UInt8(ascii: ";") }.dropFirst()
        }
        return parameters
    }

    /// Reads the value of a parameter, from its equals sign on; `nil` if there is no value.
    private static func value(from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        rest = rest.dropFirst()
        guard rest.first == UInt8(ascii: "\"") else {
            let value = self.trimmingEnd(rest.prefix { $0 != UInt8(ascii: ";") })
            rest = rest[value.endIndex...]
            return value.isEmpty ? nil : Array(value)
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return value
    }

    // MARK: Bytes

    private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }

    private static func isToken(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy(FieldScanner.isTokenByte)
    }

    private static func trimmingEnd(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let last = text.lastIndex(where: { !self.isSpace($0) }) else { return text.prefix(0) }
        return text[...last]
    }

    private static func lowercased(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: text, as: UTF8.self).lowercased()
    }
}
