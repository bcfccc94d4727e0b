// SPDX-License-Identifier: Apache-2.0
import DemoTerminal
import Synchronization
import Testing

struct ProgressBarsTests {
    /// A screen that interprets the terminal commands that the bars use.
    private final class Screen: Sendable {
        private struct State {
            var lines = [""]
            var row = 0
        }

        private let state = Mutex(State())

        /// The visible lines, without empty lines at the end.
        var lines: [String] {
            self.state.withLock { state in Array(state.lines[...(state.lines.lastIndex { !$0.isEmpty } ?? 0)]) }
        }

        func write(_ text: String) {
            self.state.withLock { state in
                var rest = text[...]
                while let character = rest.popFirst() {
                    switch character {
                    case "\n":
                        state.row += 1
                        if state.row == state.lines.count { state.lines.append("") }
                    case "\u{1B}": Self.obey(&rest, &state)
                    case "\r": break  // all lines are written from their beginnings
                    default: state.lines[state.row].append(character)
                    }
                }
            }
        }

        private static func obey(_ rest: inout Substring, _ state: inout State) {
            guard let end = rest.firstIndex(where: \.isLetter) else { return }
            let count = Int(rest[..<end].dropFirst()) ?? 0
            if rest[end] == "A" { state.row -= count }
            if rest[end] == "J" { state.lines[state.row...] = [""] }
            rest = rest[end...].dropFirst()
        }
    }

    @Test func `a line that is printed stands above the bars`() {
        let screen = Screen()
        let bars = ProgressBars(
            isShown: true,
            drawingWith: { screen.write($0) },
            sayingWith: { screen.write("\($0)\n") }
        )
        bars.show(ProgressBar("a", 1, of: 10))
        bars.show(ProgressBar("b", 2, of: 10))
        bars.print("one")
        #expect(screen.lines == ["one", ProgressBar("a", 1, of: 10).text, ProgressBar("b", 2, of: 10).text])
        bars.remove("a")
        bars.print("two")
        bars.print("three")
        #expect(screen.lines == ["one", "two", "three", ProgressBar("b", 2, of: 10).text])
        bars.remove("b")
        bars.print("four")
        #expect(screen.lines == ["one", "two", "three", "four"])
    }

    @Test func `where nobody sees bars there are lines alone`() {
        let screen = Screen()
        let bars = ProgressBars(
            isShown: false,
            drawingWith: { screen.write($0) },
            sayingWith: { screen.write("\($0)\n") }
        )
        bars.show(ProgressBar("a", 1, of: 10))
        bars.print("one")
        #expect(screen.lines == ["one"])
    }
}
