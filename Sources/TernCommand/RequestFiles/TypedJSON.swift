// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation
import TernValidation

/// JSON that the user typed as a value, with all digits of each number, which `JSONValue` could lose.
enum TypedJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case decimal(Decimal)
    case number(Double)
    case string(String)
    case array([TypedJSON])
    case object([String: TypedJSON])

    /// Parses one JSON value; `nil` also for a number with more digits than a `Decimal` holds.
    init?(_ text: String) {
        guard let value = try? JSONDecoder().decode(TypedJSON.self, from: Data(text.utf8)),
            JSONNumbers.all(in: text) == JSONNumbers.all(in: JSONLine.encode(value))
        else { return nil }
        self = value
    }
}

extension TypedJSON: Codable {
    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= JSONValue.maximumDepth else {
            let context = DecodingError.Context(codingPath: [], debugDescription: "The JSON is nested too deeply.")
            throw DecodingError.dataCorrupted(context)
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .decimal(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([TypedJSON].self))
        } else {
            self = .object(try container.decode([String: TypedJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

/// Finds the numbers in JSON (RFC 8259 §6).
private enum JSONNumbers {
    /// Returns the numbers sorted, because encoding may reorder members.
    static func all(in text: String) -> [String] {
        var numbers: [String] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\""):
                rest.removeFirst()
                while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                    if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
                }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let number = rest.prefix { "+-.eE0123456789".utf8.contains($0) }
                numbers.append(Self.normal(String(decoding: number, as: UTF8.self)))
                rest = rest[number.endIndex...]
            default: rest.removeFirst()
            }
        }
        return numbers.sorted()
    }

    /// Returns the normal form of a number, which is the same for `-1.50`, `-15e-1` and `-150E-2`.
    private static func normal(_ number: String) -> String {
        let parts = number.lowercased().split(separator: "e", maxSplits: 1)
        let sides = (parts.first ?? "").drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        guard var exponent = Int32(parts.dropFirst().first ?? "0").map({ Int($0) }) else { return number }
        exponent -= sides.dropFirst().first?.count ?? 0
        var digits = sides.joined().drop { $0 == "0" }
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { return "0" }
        return "\(number.hasPrefix("-") ? "-" : "")\(digits)e\(exponent)"
    }
}
