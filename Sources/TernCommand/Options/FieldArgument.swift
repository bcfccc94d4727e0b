// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes

/// A field as typed: `Name: value`, `Name;` for a field with an empty value, or `Name:` to remove the field.
struct FieldArgument: Equatable, Sendable {
    let name: HTTPField.Name
    /// The value; `nil` if the field must not be sent, even if the client would send it by default.
    let value: String?

    init(_ name: HTTPField.Name, _ value: String?) {
        self.name = name
        self.value = value
    }

    /// Parses a field in curl's form; the request checks later whether the value can be sent.
    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":") else {
            let trimmed = String(argument.reversed().drop(while: Self.isBlank).reversed())
            guard trimmed.hasSuffix(";"), let name = HTTPField.Name(String(trimmed.dropLast())) else { return nil }
            self.init(name, "")
            return
        }
        guard let name = HTTPField.Name(String(argument[..<colon])) else { return nil }
        let value = argument[argument.index(after: colon)...].drop(while: Self.isBlank)
        let trimmed = String(value.reversed().drop(while: Self.isBlank).reversed())
        self.init(name, trimmed.isEmpty ? nil : trimmed)
    }

    /// Parses one field per line; the message about a malformed line does not show it.
    static func fields(in text: String, of path: String) throws(CommandFailure) -> [FieldArgument] {
        var fields: [FieldArgument] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            guard line.contains(where: { !Self.isBlank($0) }) else { continue }
            guard let field = FieldArgument(argument: String(line)) else {
                let place = "line \(index + 1) of \(TerminalText.sanitized(path))"
                let forms = "'Name: value', 'Name:' or 'Name;'"
                throw CommandFailure(outcome: .usage, message: "\(place) must have the form \(forms)")
            }
            fields.append(field)
        }
        return fields
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
}

struct MethodArgument: ExpressibleByArgument, Equatable, Sendable {
    let method: HTTPRequest.Method

    /// Parses a method, whose letter case matters (RFC 9110 §9.1); `nil` if it is not a token.
    init?(argument: String) {
        guard let method = HTTPRequest.Method(rawValue: argument) else { return nil }
        self.method = method
    }
}

struct SecondsArgument: ExpressibleByArgument, Equatable, Sendable {
    let duration: Duration

    /// Parses a number of seconds: more than zero, and less than 100 years.
    init?(argument: String) {
        guard let seconds = Double(argument), seconds > 0, seconds < 3_155_760_000 else { return nil }
        self.duration = .seconds(seconds)
    }
}

enum WaitArgument: ExpressibleByArgument, Equatable, Sendable {
    /// Wait until nothing has arrived for this long; zero does not wait.
    case untilQuiet(Duration)
    case forever

    /// Parses `forever`, or a number of seconds: zero or more, and less than 100 years.
    init?(argument: String) {
        if argument == "forever" {
            self = .forever
        } else if Double(argument) == 0 {
            self = .untilQuiet(.zero)
        } else if let seconds = SecondsArgument(argument: argument) {
            self = .untilQuiet(seconds.duration)
        } else {
            return nil
        }
    }
}

struct ByteCountArgument: ExpressibleByArgument, Equatable, Sendable {
    let byteCount: Int

    /// Parses a number of 1 or more, with K, M or G for powers of 1024, as in curl.
    init?(argument: String) {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        let unit = argument.lowercased().last.flatMap { units[$0] }
        guard let number = Int(unit == nil ? argument[...] : argument.dropLast()), number > 0 else { return nil }
        let (byteCount, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !isTooLarge else { return nil }
        self.byteCount = byteCount
    }
}
