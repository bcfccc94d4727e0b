// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes

/// A field as it is typed: `Name: value`.
struct FieldArgument: Equatable, Sendable {
    let name: HTTPField.Name
    let value: String

    /// Reads a field; `nil` if there is no colon, or no name before it that HTTP allows.
    ///
    /// The value may be empty. Whether it can be sent is for the request to say.
    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":"), let name = HTTPField.Name(String(argument[..<colon])) else {
            return nil
        }
        self.name = name
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let value = argument[argument.index(after: colon)...].drop(while: blank)
        self.value = String(value.reversed().drop(while: blank).reversed())
    }
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
