// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Tern

/// Follows one transfer and, on a terminal, draws its progress on standard error.
///
/// Drawing happens on a queue of its own, by the clock: the transfer never waits for the terminal, and a transfer that
/// stands still is seen to.
final class ProgressLine: TaskDelegate {
    /// Which half of the call the line is about.
    enum Direction: Sendable {
        case upload
        case download
    }

    private struct State {
        var bar: ProgressBar
        var meter = RateMeter()
        var isFinished = false
        var reportCount = 0
        var informationalStatuses: [Int] = []
        /// The number of bytes of the exchanges that were cut and that another one continues.
        var continuedByteCount: Int64 = 0
    }

    /// Ten drawings a second: more cannot be read, and terminals are slow.
    private static let drawingInterval = DispatchTimeInterval.milliseconds(100)

    private let direction: Direction
    private let isShown: Bool
    private let start = ContinuousClock.now
    private let queue = DispatchQueue(label: "tern-cli.progress")
    private let state: Mutex<State>

    /// Begins to follow.
    ///
    /// - Parameters:
    ///   - direction: which half of the call counts.
    ///   - label: what is transferred.
    ///   - isQuiet: whether nothing is drawn even on a terminal.
    init(_ direction: Direction, label: String, isQuiet: Bool = false) {
        self.direction = direction
        self.isShown = !isQuiet && System.isTerminal(System.standardError)
        self.state = Mutex(State(bar: ProgressBar(label: ProgressBar.label(label), byteCount: 0)))
    }

    /// How many bytes were transferred so far.
    var byteCount: Int64 { self.state.withLock { $0.bar.byteCount } }
    /// How often progress was told.
    var reportCount: Int { self.state.withLock { $0.reportCount } }
    /// The statuses of interim responses, such as 100.
    var informationalStatuses: [Int] { self.state.withLock { $0.informationalStatuses } }

    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) {
        if self.direction == .upload { self.update(progress) }
    }

    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) {
        if self.direction == .download { self.update(progress) }
    }

    func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) {
        self.state.withLock { $0.informationalStatuses.append(response.status.code) }
    }

    /// Ends the line: with a summary if the transfer succeeded, otherwise by wiping it.
    func finish(succeeded: Bool) {
        guard self.isShown else { return }
        self.queue.sync {
            let summary = self.state.withLock { state in
                state.isFinished = true
                return state.bar.summary(elapsed: self.elapsed, width: Self.width)
            }
            System.tell(succeeded ? "\r\(summary)\u{1B}[K\n" : "\r\u{1B}[K")
        }
    }

    /// The transfer was cut, and another exchange brings the rest.
    func continues() { self.state.withLock { $0.continuedByteCount = $0.bar.byteCount } }

    /// The transfer was cut, and another exchange brings all of it.
    func restarts() { self.state.withLock { $0.continuedByteCount = 0 } }

    private func update(_ progress: TransferProgress) {
        let isFirst = self.state.withLock { state in
            state.bar.byteCount = state.continuedByteCount + progress.byteCount
            state.bar.totalByteCount = progress.totalByteCount.map { state.continuedByteCount + $0 }
            state.reportCount += 1
            return state.reportCount == 1
        }
        if isFirst, self.isShown { self.queue.async { self.draw() } }
    }

    /// Draws the line, and does so again after a while until the transfer is finished.
    private func draw() {
        let line = self.state.withLock { state -> String? in
            guard !state.isFinished else { return nil }
            state.meter.record(byteCount: state.bar.byteCount, at: self.elapsed)
            state.bar.bytesPerSecond = state.meter.bytesPerSecond
            return state.bar.text(width: Self.width)
        }
        guard let line else { return }
        if !Terminal.isAsking.load(ordering: .relaxed) { System.tell("\r\(line)\u{1B}[K") }
        self.queue.asyncAfter(deadline: .now() + Self.drawingInterval) { [weak self] in self?.draw() }
    }

    private var elapsed: Duration { ContinuousClock.now - self.start }

    /// One column less than there are, for some terminals begin a new line after the last.
    private static var width: Int { System.columns(of: System.standardError) - 1 }
}

/// Estimates how fast a transfer is just now: its mean over the last few seconds.
///
/// Knows no clock; the caller says when.
struct RateMeter: Sendable {
    private struct Sample {
        var byteCount: Int64
        var time: Duration
    }

    private let window: Duration
    private var samples: [Sample]

    /// Begins at zero bytes.
    ///
    /// - Parameters:
    ///   - window: how far back the mean goes; 3 seconds by default: steady to read, quick to follow.
    ///   - start: when the transfer began.
    init(window: Duration = .seconds(3), start: Duration = .zero) {
        self.window = window
        self.samples = [Sample(byteCount: 0, time: start)]
    }

    /// Takes note of how far the transfer is; times must not go back.
    mutating func record(byteCount: Int64, at time: Duration) {
        self.samples.append(Sample(byteCount: byteCount, time: time))
        // The newest sample at or before the start of the window stays: the mean goes back that far at least.
        let start = time - self.window
        while self.samples.count > 2, self.samples[1].time <= start { self.samples.removeFirst() }
    }

    /// How long to measure before saying anything: what comes first is a burst, or a buffer that fills.
    private static let minimumSpan = Duration.milliseconds(300)

    /// Bytes per second; `nil` until some time has passed.
    var bytesPerSecond: Double? {
        guard let first = self.samples.first, let last = self.samples.last, last.time - first.time >= Self.minimumSpan
        else { return nil }
        return Double(last.byteCount - first.byteCount) / ((last.time - first.time) / .seconds(1))
    }
}
