// SPDX-License-Identifier: Apache-2.0

/// A URL with patterns as in curl: `[1-9]`, `[01-31:2]`, `[a-f]` and `{one,two}`.
///
/// It stands for one URL for each combination of the values; those of the last pattern change first. A bracket or a brace after a
/// backslash is literal; `[]` and the address in `http://[::1]/` are not patterns.
struct URLPattern: Equatable, Sendable {
    /// The maximum number of URLs for which the patterns in a URL stand.
    ///
    /// Beyond it, the command ends with the exit code 3.
    static let maximumCount = 100_000

    enum Part: Equatable, Sendable {
        case text(String)
        case words([String])
        case numbers(first: Int, count: Int, step: Int, width: Int)
        case letters(first: UInt8, count: Int, step: Int)

        var count: Int {
            switch self {
            case .text: 1
            case .words(let words): words.count
            case .numbers(_, let count, _, _), .letters(_, let count, _): count
            }
        }

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

    struct Problem: Error, Equatable {
        let reason: String
        let position: Int
    }

    let parts: [Part]
    let count: Int

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

    init(literal text: String) {
        self.parts = [.text(text)]
        self.count = 1
    }

    var isPattern: Bool { self.parts.contains { if case .text = $0 { false } else { true } } }

    /// Returns the URL at an index below ``count``, and the value of each pattern in it.
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

    /// Replaces `#1` with the value of the first pattern; as in curl, a number without a pattern stays.
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
