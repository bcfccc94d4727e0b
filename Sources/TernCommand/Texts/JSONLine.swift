// SPDX-License-Identifier: Apache-2.0
import TernFoundation

enum JSONLine {
    /// Sorts keys, and escapes characters that control a terminal: "any character may be escaped" in strings (RFC 8259 §7).
    static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return "{}" }
        let json = String(decoding: data, as: UTF8.self)
        guard json.unicodeScalars.contains(where: TerminalText.isHarmful) else { return json }
        return json.unicodeScalars.reduce(into: "") { text, scalar in
            if TerminalText.isHarmful(scalar) {
                for unit in String(scalar).utf16 { text += Self.escape(unit) }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
