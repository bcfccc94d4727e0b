// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

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
