// SPDX-License-Identifier: Apache-2.0

/// The parsed format of `--write-out`: text, and variables whose values are known when the call is over.
struct WriteOut: Equatable, Sendable {
    enum Piece: Equatable, Sendable {
        case text(String)
        case variable(String)
        case field(String)
    }

    enum Stream: Equatable, Sendable {
        case output
        case errors
    }

    let pieces: [Piece]

    /// Parses `%{name}`, `%header{name}`, `%%`, and `\n`, `\r` and `\t`; all other characters are text.
    init(_ format: String) {
        var pieces: [Piece] = []
        var text = String.UnicodeScalarView()
        var rest = format[...].unicodeScalars
        let take = { (prefix: String) -> String? in
            guard String(rest.prefix(prefix.unicodeScalars.count)) == prefix else { return nil }
            let behind = rest.dropFirst(prefix.unicodeScalars.count)
            guard let end = behind.firstIndex(of: "}") else { return nil }
            rest = behind[behind.index(after: end)...]
            return String(behind[..<end])
        }
        while let scalar = rest.first {
            let piece = take("%{").map { Piece.variable($0) } ?? take("%header{").map { Piece.field($0) }
            if let piece {
                if !text.isEmpty { pieces.append(.text(String(text))) }
                text = .init()
                pieces.append(piece)
                continue
            }
            rest = rest.dropFirst()
            switch (scalar, rest.first) {
            case ("%", "%"): text.append("%")
            case ("\\", "n"): text.append("\n")
            case ("\\", "r"): text.append("\r")
            case ("\\", "t"): text.append("\t")
            default:
                text.append(scalar)
                continue
            }
            rest = rest.dropFirst()
        }
        if !text.isEmpty { pieces.append(.text(String(text))) }
        self.pieces = pieces
    }

    /// Returns texts for both streams, in order; for a terminal, values have no control characters, because the server chooses
    /// many.
    func texts(
        _ facts: WriteOutFacts,
        isTerminal: (Stream) -> Bool = { _ in false }
    ) -> [(stream: Stream, text: String)] {
        var texts: [(stream: Stream, text: String)] = []
        var stream = Stream.output
        func write(_ text: String) {
            if texts.last?.stream == stream {
                texts[texts.count - 1].text += text
            } else if !text.isEmpty {
                texts.append((stream, text))
            }
        }
        func write(value: String?) {
            guard let value else { return }
            write(isTerminal(stream) ? TerminalText.sanitized(value) : value)
        }
        for piece in self.pieces {
            switch piece {
            case .text(let text): write(text)
            case .variable("stderr"): stream = .errors
            case .variable("stdout"): stream = .output
            case .variable("onerror"): if facts.exitCode == 0 { return texts }
            case .variable(let name): write(value: facts.text(of: name))
            case .field(let name): write(value: facts.field(name))
            }
        }
        return texts
    }

    var unknownNames: [String] {
        var names: [String] = []
        for case .variable(let name) in self.pieces where !WriteOutFacts.names.contains(name) && !names.contains(name) {
            names.append(name)
        }
        return names
    }
}
