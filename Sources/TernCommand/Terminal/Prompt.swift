// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// A line at the bottom of the terminal for typing, while other lines appear above it.
final class Prompt: Sendable {
    private struct State {
        var editor = LineEditor()
        var isShown = false
        var resumption: (any DispatchSourceSignal)?
    }

    private static let mark = "> "
    private static let wipe = "\r\u{1B}[K"

    private let output: OutputWriter
    private let state = Mutex(State())

    init(_ output: OutputWriter) { self.output = output }

    func begin() {
        System.beginTyping()
        self.state.withLock { state in
            // After Ctrl-Z and `fg` the terminal is in the shell's mode, so change its mode again.
            let resumption = DispatchSource.makeSignalSource(signal: System.resume, queue: .global())
            resumption.setEventHandler { [weak self] in self?.resume() }
            resumption.activate()
            state.resumption = resumption
            state.isShown = true
            self.draw(&state)
        }
    }

    func end() {
        self.state.withLock { state in
            self.hide(&state)
            state.resumption?.cancel()
        }
        System.endTyping()
    }

    /// Shows lines above the prompt, without the line break of the last one; the line that is being typed stays.
    func show(_ text: String) {
        self.state.withLock { state in
            guard state.isShown else { return self.output.enqueue("\(text)\n".utf8) }
            self.output.enqueue("\(Self.wipe)\(text)\n".utf8)
            self.draw(&state)
        }
    }

    func type(_ bytes: some Sequence<UInt8>) -> [LineEditor.Event] {
        self.state.withLock { state in
            var events: [LineEditor.Event] = []
            for byte in bytes {
                guard let event = state.editor.type(byte) else { continue }
                events.append(event)
                switch event {
                case .line(let text): self.output.enqueue("\(Self.wipe)\(Self.mark)\(text)\n".utf8)
                case .end:
                    self.hide(&state)
                    return events
                }
            }
            self.draw(&state)
            return events
        }
    }

    private func resume() {
        self.state.withLock { state in
            guard state.isShown else { return }
            System.beginTyping()
            self.draw(&state)
        }
    }

    private func draw(_ state: inout State) {
        guard state.isShown else { return }
        // One column is for the cursor.
        let width = System.columns(of: System.standardOutput) - Self.mark.count - 1
        let text = TerminalText.tail(of: state.editor.text, width: width)
        self.output.enqueue("\(Self.wipe)\(Self.mark)\(text)".utf8)
    }

    private func hide(_ state: inout State) {
        guard state.isShown else { return }
        state.isShown = false
        self.output.enqueue(Self.wipe.utf8)
    }
}
