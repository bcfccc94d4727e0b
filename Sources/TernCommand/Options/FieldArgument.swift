// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes

/// A field as it is typed: `Name: value`, `Name;` for an empty one, or `Name:` for none.
struct FieldArgument: Equatable, Sendable {
    /// The name of the field.
    let name: HTTPField.Name
    /// The value; `nil` if the field is not to be sent, even where the client would send it by itself.
    let value: String?

    /// Creates a field; without a value, one that is not to be sent.
    init(_ name: HTTPField.Name, _ value: String?) {
        self.name = name
        self.value = value
    }

    /// Reads a field in curl's form; `nil` if there is no name that HTTP allows, or neither a colon nor a semicolon.
    ///
    /// The request says later whether the value can be sent.
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

    /// Reads the lines of a file: one field each, empty lines left out.
    ///
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - path: Its name, for the message.
    /// - Returns: The fields, in the order of the lines.
    /// - Throws: `CommandFailure` with the number of a line that is not a field; the message shows none of it.
    static func fields(in text: String, of path: String) throws(CommandFailure) -> [FieldArgument] {
        var fields: [FieldArgument] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            guard line.contains(where: { !Self.isBlank($0) }) else { continue }
            guard let field = FieldArgument(argument: String(line)) else {
                let place = "line \(index + 1) of \(TerminalText.harmless(path))"
                throw CommandFailure(outcome: .usage, message: "\(place) is not a field: a name, a colon and a value")
            }
            fields.append(field)
        }
        return fields
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
}

/// A method as it is typed, such as `PUT`.
struct MethodArgument: ExpressibleByArgument, Equatable, Sendable {
    let method: HTTPRequest.Method

    /// Reads a method as it is, since its letter case has a meaning (RFC 9110 §9.1); `nil` if it is no token.
    init?(argument: String) {
        guard let method = HTTPRequest.Method(rawValue: argument) else { return nil }
        self.method = method
    }
}

/// A length of time as it is typed, in seconds, such as `2.5`.
struct SecondsArgument: ExpressibleByArgument, Equatable, Sendable {
    let duration: Duration

    /// Reads a number of seconds; `nil` unless it is more than zero and less than 100 years.
    init?(argument: String) {
        guard let seconds = Double(argument), seconds > 0, seconds < 3_155_760_000 else { return nil }
        self.duration = .seconds(seconds)
    }
}

/// How long to wait for more messages once the input has ended, as it is typed: seconds, or `forever`.
enum WaitArgument: ExpressibleByArgument, Equatable, Sendable {
    /// Until nothing has come for so long; at once if it is zero.
    case untilQuiet(Duration)
    /// Until the server closes.
    case forever

    /// Reads `forever`, or a number of seconds; `nil` unless it is zero or more and less than 100 years.
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

/// A number of bytes as it is typed, such as `1000` or `64M`.
struct ByteCountArgument: ExpressibleByArgument, Equatable, Sendable {
    let byteCount: Int

    /// Reads a number from 1 on, with K, M or G for powers of 1024, as curl has them; `nil` if it is none.
    init?(argument: String) {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        let unit = argument.lowercased().last.flatMap { units[$0] }
        guard let number = Int(unit == nil ? argument[...] : argument.dropLast()), number > 0 else { return nil }
        let (byteCount, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !isTooLarge else { return nil }
        self.byteCount = byteCount
    }
}
