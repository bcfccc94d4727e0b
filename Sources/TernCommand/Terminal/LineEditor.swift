// SPDX-License-Identifier: Apache-2.0

/// Edits the line that a user is typing, because the program cannot ask the terminal for the text to show it again after a
/// message.
struct LineEditor: Sendable {
    enum Event: Equatable, Sendable {
        case line(String)
        case end
    }

    private enum State {
        /// No character and no sequence has begun.
        case ground
        case character([UInt8], count: Int)
        /// Escape was pressed, or begins the sequence of a special key.
        case escape
        /// Inside the sequence of a special key, up to its last byte (ECMA-48 §5.4).
        case sequence
    }

    private(set) var text = ""

    private static let maximumHistoryCount = 500

    private var state = State.ground
    private var history: [String] = []
    /// The position in the history; equal to its count if no earlier line is shown.
    private var place = 0
    private var draft = ""

    mutating func type(_ byte: UInt8) -> Event? {
        switch self.state {
        case .ground: return self.key(byte)
        case .character(let bytes, let count): self.extend(bytes + [byte], count: count)
        case .escape: self.state = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .ground
        case .sequence:
            guard 0x40...0x7E ~= byte else { break }
            self.state = .ground
            if byte == UInt8(ascii: "A") { self.recall(self.place - 1) }
            if byte == UInt8(ascii: "B") { self.recall(self.place + 1) }
        }
        return nil
    }

    private mutating func key(_ byte: UInt8) -> Event? {
        switch byte {
        case 0x0A, 0x0D: return .line(self.finish())
        case 0x04: return self.text.isEmpty ? .end : nil
        case 0x08, 0x7F: self.text = String(self.text.dropLast())
        case 0x15: self.text = ""
        case 0x17: self.dropWord()
        case 0x1B: self.state = .escape
        case 0x09, 0x20...0x7E: self.text.unicodeScalars.append(Unicode.Scalar(byte))
        case 0xC2...0xDF: self.state = .character([byte], count: 2)
        case 0xE0...0xEF: self.state = .character([byte], count: 3)
        case 0xF0...0xF4: self.state = .character([byte], count: 4)
        default: break  // other control keys, and bytes that begin no character
        }
        return nil
    }

    private mutating func extend(_ bytes: [UInt8], count: Int) {
        guard bytes.count == count else {
            self.state = .character(bytes, count: count)
            return
        }
        self.state = .ground
        if let character = String(validating: bytes, as: UTF8.self) { self.text += character }
    }

    private mutating func finish() -> String {
        defer { self.text = "" }
        if !self.text.isEmpty, self.text != self.history.last { self.history.append(self.text) }
        if self.history.count > Self.maximumHistoryCount { self.history.removeFirst() }
        self.place = self.history.count
        return self.text
    }

    private mutating func dropWord() {
        let rest = self.text.reversed().drop { $0 == " " }.drop { $0 != " " }
        self.text = String(rest.reversed())
    }

    private mutating func recall(_ place: Int) {
        guard 0...self.history.count ~= place, place != self.place else { return }
        if self.place == self.history.count { self.draft = self.text }
        self.place = place
        self.text = place == self.history.count ? self.draft : self.history[place]
    }
}
