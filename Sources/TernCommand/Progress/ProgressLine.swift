// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Tern

/// Follows one transfer and, on a terminal, draws its progress on standard error.
///
/// A separate queue draws at regular intervals, so the transfer never waits for the terminal, and the user sees when it stalls.
final class ProgressLine: TaskDelegate {
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
        /// The number of bytes of interrupted exchanges, after which the current one continues.
        var continuedByteCount: Int64 = 0
    }

    /// A line that changes faster is unreadable, and terminals are slow.
    private static let drawingInterval = DispatchTimeInterval.milliseconds(100)

    private let direction: Direction
    private let isShown: Bool
    private let countsEarlierBytes: Bool
    private let start = ContinuousClock.now
    private let queue = DispatchQueue(label: "tern-cli.progress")
    private let state: Mutex<State>

    /// Starts to follow a transfer; if its reports count bytes from before (`countsEarlierBytes`), these do not count for the rate.
    init(_ direction: Direction, label: String, isQuiet: Bool = false, countsEarlierBytes: Bool = false) {
        self.direction = direction
        self.countsEarlierBytes = countsEarlierBytes
        self.isShown = !isQuiet && System.isTerminal(System.standardError)
        self.state = Mutex(State(bar: ProgressBar(label: ProgressBar.label(label), byteCount: 0)))
    }

    var byteCount: Int64 { self.state.withLock { $0.bar.byteCount } }
    var reportCount: Int { self.state.withLock { $0.reportCount } }
    var informationalStatuses: [Int] { self.state.withLock { $0.informationalStatuses } }

    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) {
        if self.direction == .upload { self.update(progress) }
    }

    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) {
        guard self.direction == .download else { return }
        if self.countsEarlierBytes { self.begin(after: task.currentRequest) }
        self.update(progress)
    }

    func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) {
        self.state.withLock { $0.informationalStatuses.append(response.status.code) }
    }

    /// Replaces the line with a summary if the transfer succeeded, or else removes it.
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

    /// Another exchange delivers the rest.
    func continues() { self.state.withLock { $0.continuedByteCount = $0.bar.byteCount } }

    /// Another exchange delivers the whole content.
    func restarts() { self.state.withLock { $0.continuedByteCount = 0 } }

    private func begin(after request: Request) {
        self.state.withLock { state in
            guard state.reportCount == 0, let range = request.fields[.range], range.hasPrefix("bytes="),
                let start = Int64(range.dropFirst(6).prefix { $0 != "-" })
            else { return }
            state.bar.earlierByteCount = start
            state.meter = RateMeter(byteCount: start)
        }
    }

    private func update(_ progress: TransferProgress) {
        let isFirst = self.state.withLock { state in
            state.bar.byteCount = state.continuedByteCount + progress.byteCount
            state.bar.totalByteCount = progress.totalByteCount.map { state.continuedByteCount + $0 }
            state.reportCount += 1
            return state.reportCount == 1
        }
        if isFirst, self.isShown { self.queue.async { self.draw() } }
    }

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

    /// One column less than the terminal has, because some terminals start a new line after the last column.
    private static var width: Int { System.columns(of: System.standardError) - 1 }
}

/// Estimates the speed of a transfer: its mean over a few seconds, short enough to follow changes and long enough to read.
struct RateMeter: Sendable {
    private struct Sample {
        var byteCount: Int64
        var time: Duration
    }

    private let window: Duration
    private var samples: [Sample]

    init(window: Duration = .seconds(3), start: Duration = .zero, byteCount: Int64 = 0) {
        self.window = window
        self.samples = [Sample(byteCount: byteCount, time: start)]
    }

    mutating func record(byteCount: Int64, at time: Duration) {
        self.samples.append(Sample(byteCount: byteCount, time: time))
        // Keep the newest sample at or before the start of the window, so that the mean covers at least the window.
        let start = time - self.window
        while self.samples.count > 2, self.samples[1].time <= start { self.samples.removeFirst() }
    }

    /// The first bytes arrive in a burst, or only fill a buffer, so they say nothing about the rate.
    private static let minimumSpan = Duration.milliseconds(300)

    var bytesPerSecond: Double? {
        guard let first = self.samples.first, let last = self.samples.last, last.time - first.time >= Self.minimumSpan
        else { return nil }
        return Double(last.byteCount - first.byteCount) / ((last.time - first.time) / .seconds(1))
    }
}
