// SPDX-License-Identifier: Apache-2.0

/// What is wrong in a request file, where, and what to do.
public struct Diagnostic: Error, Hashable, Sendable {
    /// What is wrong.
    public let rule: RequestFileRule
    /// Where.
    public let position: TextPosition

    /// Whether the file can be used all the same.
    public var isWarning: Bool { self.rule.isWarning }

    init(_ rule: RequestFileRule, at position: TextPosition) {
        self.rule = rule
        self.position = position
    }
}

extension Diagnostic: CustomStringConvertible {
    /// Line, column and sentence, as compilers write them: `3:5: error: …`.
    public var description: String {
        "\(self.position): \(self.isWarning ? "warning" : "error"): \(self.rule)"
    }
}

/// A place in a file.
public struct TextPosition: Hashable, Sendable, Comparable {
    /// The line, from 1 on.
    public let line: Int
    /// The column, from 1 on, in bytes of UTF-8, as compilers count.
    public let column: Int

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Whether one place comes before another.
    public static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension TextPosition: CustomStringConvertible {
    /// Line and column: `3:5`.
    public var description: String { "\(self.line):\(self.column)" }
}

/// Why a request file cannot be used.
public struct RequestFileFailure: Error, Hashable, Sendable {
    /// The errors and the warnings, in the order of the file; at most ``RequestFileLimits/maximumDiagnosticCount``.
    public let diagnostics: [Diagnostic]
}

extension RequestFileFailure: CustomStringConvertible {
    /// The diagnostics, a line each.
    public var description: String { self.diagnostics.map(\.description).joined(separator: "\n") }
}
