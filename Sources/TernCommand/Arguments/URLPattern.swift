// SPDX-License-Identifier: Apache-2.0

/// A URL with patterns as in curl: `[1-9]`, `[01-31:2]`, `[a-f]` and `{one,two}`.
///
/// The pattern stands for one URL for each combination of its values. The values of the last pattern change first. A
/// backslash takes a bracket or a brace literally; `[]` and the address in `http://[::1]/` are no patterns.
struct URLPattern: Equatable, Sendable {
    /// The maximum number of URLs that a pattern stands for.
    static let maximumCount = 100_000

    /// A part of the text, with the values that it stands for.
    enum Part: Equatable, Sendable {
        /// Text outside a pattern.
        case text(String)
        /// `{one,two}`.
        case words([String])
        /// `[1-9]`, with the minimum number of digits.
        case numbers(first: Int, count: Int, step: Int, width: Int)
        /// `[a-f]`.
        case letters(first: UInt8, count: Int, step: Int)

        /// The number of values.
        var count: Int {
            switch self {
            case .text: 1
            case .words(let words): words.count
            case .numbers(_, let count, _, _), .letters(_, let count, _): count
            }
        }

        /// Returns one of the values.
        subscript(index: Int) -> String {
            switch self {
            case .text(let text): return text
            case .words(let words): return words[index]
            case .numbers(let first, _, let step, let width):
                let digits = "\(first + index * step)"
                return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
            case .letters(let first, _, let step):
                return String(UnicodeScalar(first + UInt8(index * step)))
            }
        }
    }

    /// A mistake in a pattern.
    struct Problem: Error, Equatable {
        /// The end of a sentence about the pattern.
        let reason: String
        /// The number of the character, from 1.
        let position: Int
    }

    /// The parts, in order.
    let parts: [Part]
    /// The number of URLs.
    let count: Int

    /// Parses a URL.
    ///
    /// - Throws: ``Problem`` if a bracket or a brace has no partner, if a range is malformed, or if there are more than
    ///   ``maximumCount`` URLs.
    init(parsing text: String) throws(Problem) {
        var parser = URLPatternParser(text)
        self.parts = try parser.parts()
        var count = 1
        for part in self.parts {
            // Each part has at most `maximumCount` values, so that the product cannot overflow.
            count *= part.count
            guard count <= Self.maximumCount else {
                throw Problem(reason: "it stands for more than \(Self.maximumCount) URLs", position: 1)
            }
        }
        self.count = count
    }

    /// Creates a pattern that stands for one URL.
    init(literal text: String) {
        self.parts = [.text(text)]
        self.count = 1
    }

    /// Whether the text has a pattern.
    var isPattern: Bool { self.parts.contains { if case .text = $0 { false } else { true } } }

    /// Returns one of the URLs, and the values of its patterns.
    ///
    /// - Parameter index: The number of the URL, from 0 to ``count``, exclusive.
    /// - Returns: The URL, and the value of each pattern in it.
    func url(at index: Int) -> (text: String, values: [String]) {
        var rest = index
        var texts: [String] = []
        var values: [String] = []
        for part in self.parts.reversed() {
            let value = part[rest % part.count]
            rest /= part.count
            texts.append(value)
            if case .text = part { continue }
            values.append(value)
        }
        return (texts.reversed().joined(), values.reversed())
    }

    /// Returns the name of a file, with the value of the first pattern in place of `#1`, and so on.
    ///
    /// As in curl, a number without a pattern stays as it is.
    static func name(_ template: String, _ values: [String]) -> String {
        var name = ""
        var rest = Substring(template)
        while let mark = rest.firstIndex(of: "#") {
            name += rest[..<mark]
            let digits = rest[rest.index(after: mark)...].prefix { ("0"..."9").contains($0) }
            rest = rest[digits.endIndex...]
            if let number = Int(digits), (1...max(1, values.count)).contains(number), !values.isEmpty {
                name += values[number - 1]
            } else {
                name += "#\(digits)"
            }
        }
        return name + rest
    }
}
