// SPDX-License-Identifier: Apache-2.0

/// Returns the ways to deliver bytes that a test should try: at once, byte by byte, and in two pieces cut at each place.
public func everySplit(of bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
    [[bytes[...]], bytes.indices.map { bytes[$0...$0] }]
        + bytes.indices.dropFirst().map { [bytes[..<$0], bytes[$0...]] }
}

/// One rule as a test parameter: received bytes, and the expected result.
public struct Vector<Outcome: Sendable>: CustomStringConvertible, Sendable {
    /// The section of the document that states the rule, such as `"§6.3"`.
    public let section: String
    public let rule: String
    public let bytes: [UInt8]
    public let expected: Outcome

    public init(_ section: String, _ rule: String, _ bytes: [UInt8], _ expected: Outcome) {
        (self.section, self.rule, self.bytes, self.expected) = (section, rule, bytes, expected)
    }

    public init(_ section: String, _ rule: String, _ text: String, _ expected: Outcome) {
        self.init(section, rule, Array(text.utf8), expected)
    }

    public var description: String { "\(self.section) \(self.rule)" }
}
