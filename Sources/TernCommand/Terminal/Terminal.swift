// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// Asks the user on the terminal of the process, like ssh and curl: even if standard input and output are redirected.
struct Terminal: Questioner {
    /// While a question is on the screen, no other code may draw.
    static let isAsking = Atomic<Bool>(false)

    private static let maximumAnswerByteCount = 4096
    private static let wipe = "\r\u{1B}[K"

    private let path: String
    private let queue = DispatchQueue(label: "tern-cli.terminal")

    init(path: String = "/dev/tty") { self.path = path }

    func ask(_ question: String, isSecret: Bool, otherwise advice: String) async throws(CommandFailure) -> String {
        guard let descriptor = System.openTerminal(self.path) else {
            let text = TerminalText.sanitized(question).replacing("\n", with: ", ").dropLast(2)
            let message = "there is no terminal for the question '\(text)'; \(advice)"
            throw CommandFailure(outcome: .usage, message: message)
        }
        Self.isAsking.store(true, ordering: .relaxed)
        defer { Self.isAsking.store(false, ordering: .relaxed) }
        let answer = Answer()
        let text = Self.wipe + TerminalText.sanitized(question)
        self.queue.async {
            // Do this under the lock: once the task is cancelled and the terminal is restored, its modes must not
            // change again.
            answer.ifPending {
                if isSecret { System.beginHiding(descriptor) }
                System.show(text, on: descriptor)
            }
            answer.resolve(with: Self.read(descriptor))
        }
        let result = await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            answer.resolve(with: .failure(Self.interrupted))
        }
        System.endTyping(descriptor)
        if case .failure = result { System.show("\n", on: descriptor) }
        // After a cancellation, a read may still be pending. Keep the descriptor open then, so that it is not reused
        // for another file.
        if !Task.isCancelled { System.close(descriptor) }
        return try result.get()
    }

    private static let interrupted = CommandFailure(outcome: .interrupted, message: "interrupted")

    private static func read(_ descriptor: CInt) -> Result<String, CommandFailure> {
        var bytes: [UInt8] = []
        while bytes.last != UInt8(ascii: "\n"), bytes.count < Self.maximumAnswerByteCount {
            guard let piece = try? System.read(from: descriptor, upTo: Self.maximumAnswerByteCount), !piece.isEmpty
            else {
                return .failure(CommandFailure(outcome: .usage, message: "the question got no answer"))
            }
            bytes += piece
        }
        return .success(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

/// The answer to one question, for which only the first result counts.
private final class Answer: Sendable {
    typealias Value = Result<String, CommandFailure>

    private struct State {
        var value: Value?
        var waiter: UnsafeContinuation<Value, Never>?
    }

    private let state = Mutex(State())

    func ifPending(_ body: () -> Void) {
        self.state.withLock { state in
            if state.value == nil { body() }
        }
    }

    func resolve(with value: Value) {
        let waiter = self.state.withLock { state -> UnsafeContinuation<Value, Never>? in
            guard state.value == nil else { return nil }
            state.value = value
            return state.waiter.take()
        }
        waiter?.resume(returning: value)
    }

    var value: Value {
        get async {
            await withUnsafeContinuation { continuation in
                let value = self.state.withLock { state in
                    if state.value == nil { state.waiter = continuation }
                    return state.value
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}

protocol Questioner: Sendable {
    /// Returns the typed text; without a terminal, throws a failure whose message ends with the advice.
    func ask(_ question: String, isSecret: Bool, otherwise advice: String) async throws(CommandFailure) -> String
}
