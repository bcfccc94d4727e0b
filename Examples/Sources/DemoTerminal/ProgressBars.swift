// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Progress bars at the end of standard error, one for each active transfer, if standard error is a terminal.
public final class ProgressBars: Sendable {
    private struct State {
        var bars: [ProgressBar] = []
        /// The number of bars that the screen shows now.
        var lineCount = 0
        var lastDrawing: ContinuousClock.Instant?
    }

    /// The time between two drawings, short enough to look smooth.
    private static let interval: Duration = .milliseconds(50)

    private let isShown: Bool
    private let draw: @Sendable (String) -> Void
    private let say: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Creates the area in which the bars appear, by default on standard error, with all other lines on standard output.
    public init(
        isShown: Bool = Terminal.isShowing,
        drawingWith draw: @escaping @Sendable (String) -> Void = { Terminal.tell($0) },
        sayingWith say: @escaping @Sendable (String) -> Void = { Terminal.say($0) }
    ) {
        (self.isShown, self.draw, self.say) = (isShown, draw, say)
    }

    /// Draws the bar of a transfer, or updates it.
    public func show(_ bar: ProgressBar) {
        self.change(isUrgent: false) { bars in
            if let index = bars.firstIndex(where: { $0.label == bar.label }) {
                bars[index] = bar
            } else {
                bars.append(bar)
            }
        }
    }

    /// Removes the bar of a transfer.
    public func remove(_ label: String) { self.change(isUrgent: true) { $0.removeAll { $0.label == label } } }

    /// Writes a line above the bars, between which it would otherwise appear.
    public func print(_ line: String) {
        guard self.isShown else { return self.say(line) }
        self.state.withLock { state in
            self.draw(Self.home(state))
            self.say(line)
            state.lineCount = 0
            self.redraw(&state)
        }
    }

    private func change(isUrgent: Bool, _ change: (inout [ProgressBar]) -> Void) {
        guard self.isShown else { return }
        self.state.withLock { state in
            change(&state.bars)
            let now = ContinuousClock.now
            if !isUrgent, let last = state.lastDrawing, last.duration(to: now) < Self.interval { return }
            state.lastDrawing = now
            self.redraw(&state)
        }
    }

    private func redraw(_ state: inout State) {
        self.draw(Self.home(state) + state.bars.map { "\($0.text)\n" }.joined())
        state.lineCount = state.bars.count
    }

    /// Returns the text that moves the cursor to the first bar and clears the screen from there.
    private static func home(_ state: State) -> String {
        state.lineCount > 0 ? "\u{1B}[\(state.lineCount)A\r\u{1B}[J" : ""
    }
}
