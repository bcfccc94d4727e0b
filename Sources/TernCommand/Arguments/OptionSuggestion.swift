// SPDX-License-Identifier: Apache-2.0

enum OptionSuggestion {
    /// The length from which a name gets no suggestion; the longest option of curl is shorter.
    static let maximumLength = 40

    /// Returns the first of the most similar names, or one that begins with the typed text; `nil` if none is similar enough.
    static func name(for typed: String, among names: some Sequence<String>) -> String? {
        guard typed.utf8.count >= 2, typed.utf8.count < Self.maximumLength else { return nil }
        let bytes = Array(typed.lowercased().utf8)
        // A third of the letters may be wrong, but never more than three.
        let limit = min(3, max(1, bytes.count / 3))
        var best: (name: String, distance: Int)?
        var continuations: [String] = []
        for name in names {
            let distance = Self.distance(bytes, Array(name.utf8))
            if distance <= limit, distance < name.utf8.count, distance < best?.distance ?? .max {
                best = (name, distance)
            }
            if bytes.count > 2, name.utf8.starts(with: bytes) { continuations.append(name) }
        }
        return best?.name ?? (continuations.count == 1 ? continuations.first : nil)
    }

    /// Counts the letters to insert, remove, replace or swap with their neighbour, in O(*n* · *m*).
    static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var (last, row) = ([Int](), Array(0...other.count))
        for (index, letter) in one.enumerated() {
            let previous = row
            row[0] = index + 1
            for (place, wanted) in other.enumerated() {
                let replaced = previous[place] + (letter == wanted ? 0 : 1)
                row[place + 1] = min(replaced, previous[place + 1] + 1, row[place] + 1)
                let isSwapped = index > 0 && place > 0 && letter == other[place - 1] && one[index - 1] == wanted
                if isSwapped { row[place + 1] = min(row[place + 1], last[place - 1] + 1) }
            }
            last = previous
        }
        return row[other.count]
    }
}
