// SPDX-License-Identifier: Apache-2.0

/// A value of JSON (RFC 8259 §3), for what has no type in the program.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name.
    case object([String: JSONValue])

    /// How deep values may be nested: 32; what people write has fewer than ten levels.
    public static let maximumDepth = 32
}

extension JSONValue: Decodable {
    /// Reads any value.
    ///
    /// A decoder has to be asked for one type after the other, which is slow: for short texts from servers one trusts.
    ///
    /// - Parameter decoder: where to read from.
    /// - Throws: `DecodingError.dataCorrupted` for what is nested deeper than ``maximumDepth``.
    public init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.maximumDepth else {
            let context = DecodingError.Context(codingPath: [], debugDescription: "It is nested too deep.")
            throw DecodingError.dataCorrupted(context)
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([JSONValue].self))
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}

extension JSONValue {
    /// The text, if this is a string.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number, if this is one without a fraction.
    public var integer: Int? {
        if case .integer(let value) = self { Int(exactly: value) } else { nil }
    }
}
