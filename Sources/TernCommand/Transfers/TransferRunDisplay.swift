// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Tern
import TernFoundation
import TernTransferQueue

/// Shows what happens in a queue while it runs; a separate queue draws, so that the transfers never wait for the terminal.
final class TransferRunDisplay: Sendable {
    enum Form: Sendable {
        /// A live table on standard error, and lines above it for the events that matter.
        case table
        case lines
        case json
        case none
    }

    private struct State {
        var events = TransferEvents()
        var meters: [Int64: RateMeter] = [:]
        var earlierByteCounts: [Int64: Int64] = [:]
        var lasting: [String] = []
        var block = TerminalBlock()
        var isNetworkAvailable = true
        var isFinished = false
    }

    private static let drawingInterval = DispatchTimeInterval.milliseconds(100)

    private let form: Form
    private let output: OutputWriter
    private let start = ContinuousClock.now
    private let queue = DispatchQueue(label: "tern-cli.transfers")
    private let state = Mutex(State())

    init(_ form: Form, output: OutputWriter = OutputWriter()) {
        self.form = form
        self.output = output
    }

    func begin(_ rows: [TransferRow]) {
        self.state.withLock { state in
            state.events = TransferEvents(rows)
            state.isFinished = false
        }
        if self.form == .table { self.queue.async { self.draw() } }
    }

    func show(_ change: TransferQueueChange) async throws(OutputFailure) {
        switch change {
        case .transfer(let transfer): try await self.show(TransferRow(transfer))
        case .removed(let id): self.state.withLock { $0.events.remove(id.number) }
        case .network(let isAvailable):
            self.state.withLock { $0.isNetworkAvailable = isAvailable }
            let text = isAvailable ? "the network is back" : "the network is gone; waiting until it is back"
            if self.form == .lines { System.tell(TerminalText.note(text)) }
        case .queue: break
        }
    }

    /// Shows the events that have not been delivered before the queue stopped, and removes the table.
    func finish(_ rows: [TransferRow]) async throws(OutputFailure) {
        for row in rows { try await self.show(row) }
        switch self.form {
        case .json: try await self.output.finish()
        case .table:
            self.queue.sync {
                let text = self.state.withLock { state in
                    state.isFinished = true
                    return state.block.text(lasting: Self.taken(&state.lasting), [])
                }
                System.tell(text)
            }
        case .lines, .none: break
        }
    }

    private func show(_ row: TransferRow) async throws(OutputFailure) {
        let events = self.state.withLock { state in
            let events = state.events.record(row)
            for event in events {
                if event.kind == .started {
                    state.meters[row.id] = RateMeter(start: self.elapsed, byteCount: event.row.bytes)
                    state.earlierByteCounts[row.id] = event.row.bytes
                } else if self.form == .table {
                    state.lasting.append(TerminalText.sanitized(event.text(at: Date())))
                }
            }
            return events
        }
        for event in events { try await self.show(event) }
    }

    private func show(_ event: TransferEvent) async throws(OutputFailure) {
        let row = event.row
        if event.kind == .completed, row.direction == .download {
            // The queue stores files for their owner only; a file that the user asked for is like any other.
            System.applyDefaultPermissions(toFile: row.file)
        }
        switch self.form {
        case .lines: System.tell(TerminalText.note(event.text(at: Date())))
        case .json: try await self.output.write(line: JSONLine.encode(event))
        case .table, .none: break
        }
    }

    private func draw() {
        let text = self.state.withLock { state -> String? in
            guard !state.isFinished else { return nil }
            // The question is below the table. So leave the table where it is, and draw another one below the answer.
            guard !Terminal.isAsking.load(ordering: .relaxed) else {
                state.block.leave()
                return ""
            }
            let size = System.size(of: System.standardError)
            // Some terminals start a new line after the last column.
            let lines = self.table(&state).text(width: size.columns - 1, height: size.rows - 1)
            return state.block.text(lasting: Self.taken(&state.lasting), lines)
        }
        guard let text else { return }
        System.tell(text)
        self.queue.asyncAfter(deadline: .now() + Self.drawingInterval) { [weak self] in self?.draw() }
    }

    private func table(_ state: inout State) -> TransferTable {
        var table = TransferTable()
        table.counts = TransferCounts(state.events.rows.values)
        table.isNetworkAvailable = state.isNetworkAvailable
        for row in state.events.rows.values.sorted(by: { $0.id < $1.id }) where row.state == .running {
            state.meters[row.id, default: RateMeter(start: self.elapsed, byteCount: row.bytes)]
                .record(byteCount: row.bytes, at: self.elapsed)
            let bar = ProgressBar(
                byteCount: row.bytes,
                earlierByteCount: state.earlierByteCounts[row.id] ?? 0,
                totalByteCount: row.totalBytes,
                bytesPerSecond: state.meters[row.id]?.bytesPerSecond
            )
            table.lines.append(TransferTable.Line(id: row.id, name: row.name, bar: bar))
        }
        return table
    }

    private static func taken(_ lines: inout [String]) -> [String] {
        defer { lines = [] }
        return lines
    }

    private var elapsed: Duration { ContinuousClock.now - self.start }
}
