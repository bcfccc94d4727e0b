// SPDX-License-Identifier: Apache-2.0

/// Decides whether a broken rule is an error or a warning, and collects the warnings of a request.
struct Tolerance {
    /// Whether the reader accepts forms of other editors whose meaning is clear.
    let isLenient: Bool
    /// The warnings; among those about forgiven forms, at most one has each sentence.
    private(set) var warnings: [Diagnostic] = []

    init(isLenient: Bool) { self.isLenient = isLenient }

    mutating func warn(_ rule: RequestFileRule, at position: TextPosition) {
        self.record(Diagnostic(rule, at: position, isForgiven: !rule.isWarning))
    }

    /// Accepts a form with a warning; throws if the reader is strict.
    mutating func forgive(_ rule: RequestFileRule, at position: TextPosition) throws(Diagnostic) {
        guard self.isLenient else { throw Diagnostic(rule, at: position) }
        self.record(Diagnostic(rule, at: position, isForgiven: true))
    }

    mutating func take(_ warnings: [Diagnostic]) {
        for warning in warnings { self.record(warning) }
    }

    private mutating func record(_ warning: Diagnostic) {
        guard self.warnings.count < RequestFileLimits.maximumDiagnosticCount else { return }
        // A lenient reader may forgive the same form on many lines, and saying it once is enough.
        guard !warning.isForgiven || !self.warnings.contains(where: { $0.sentence == warning.sentence }) else { return }
        self.warnings.append(warning)
    }
}
