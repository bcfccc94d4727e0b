// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernErrors
import TernTransfers
import TernTransport

/// The state that the workers of a durable download share: the machine, the partial file, and the latest attempt.
///
/// Each event changes the machine under a lock, so that the progress that is reported does not go back.
final class SharedDownload: Sendable {
    private struct State {
        var machine: DownloadStateMachine
        var generator = SystemRandomNumberGenerator()
        var call: HTTPCall
        var hasSent = false
        var response: Response?
        /// The time of the next synchronization, which begins earlier if enough bytes arrive.
        var synchronizationTime: ClockInstant
    }

    /// The time after which to synchronize even little: a process that ends loses about a second of its work.
    private static let synchronizationPeriod = Duration.seconds(1)

    let stages: NextStages
    let writer: PartialFileWriter
    let hooks: TransferHooks?

    private let clock: any TransportClock
    private let delegation: TaskDelegation?
    private let state: Mutex<State>

    init(
        _ call: HTTPCall,
        _ machine: DownloadStateMachine,
        _ writer: PartialFileWriter,
        stages: NextStages,
        hooks: TransferHooks?
    ) {
        self.stages = stages
        self.writer = writer
        self.hooks = hooks
        self.clock = call.clock
        self.delegation = call.delegation
        let time = call.clock.now.advanced(by: Self.synchronizationPeriod)
        self.state = Mutex(State(machine: machine, call: call, synchronizationTime: time))
    }

    // MARK: Asking

    var call: HTTPCall { self.state.withLock { $0.call } }

    var response: Response? { self.state.withLock { $0.response } }

    var progress: DownloadProgress { self.state.withLock { $0.machine.progress } }

    var concurrentRequestCount: Int { self.state.withLock { $0.machine.concurrentRequestCount } }

    var isEnding: Bool { self.state.withLock { $0.machine.isEnding } }

    var endingNumber: Int? { self.state.withLock { $0.machine.endingNumber } }

    // MARK: Events between the workers' steps

    func record(_ event: (inout DownloadStateMachine) -> DownloadStep) -> DownloadStep {
        self.state.withLock { event(&$0.machine) }
    }

    func begin(_ response: Response?) { self.state.withLock { $0.response = response } }

    func addWorker() -> (number: Int, step: WorkerStep)? { self.state.withLock { $0.machine.addWorker() } }

    /// Waits until everything is written, with the record of a synchronization; call this when all workers have left.
    func settle() async throws(FileWriter.Failure) {
        guard try await self.writer.settle() else { return }
        for step in self.state.withLock({ $0.machine.synced() }) { try await self.writer.perform(step) }
    }

    // MARK: Events of a worker

    /// Returns the call with the number of a new attempt, which the delegates are told about; the first has begun with the call.
    func beginAttempt() -> HTTPCall {
        self.state.withLock { state in
            if state.hasSent { state.call.beginNextAttempt() }
            state.hasSent = true
            return state.call
        }
    }

    /// Records an event of a worker; returns its next step, and the number of the worker that has made all workers leave, if any.
    func record(
        _ response: Response?,
        _ event: (inout DownloadStateMachine, inout SystemRandomNumberGenerator) -> WorkerStep
    ) -> (step: WorkerStep, endingNumber: Int?) {
        self.state.withLock { state in
            let step = event(&state.machine, &state.generator)
            if case .receive = step { state.response = response }
            return (step, state.machine.endingNumber)
        }
    }

    /// Records a piece that was queued, reports the progress, and synchronizes if it is time; returns whether the worker goes on.
    func wrote(_ range: Range<Int64>, by number: Int) throws(FileWriter.Failure) -> Bool {
        let now = self.clock.now
        return try self.state.withLock { state throws(FileWriter.Failure) in
            let step = state.machine.wrote(range, by: number, isDue: now >= state.synchronizationTime)
            if step == .synchronize {
                state.synchronizationTime = now.advanced(by: Self.synchronizationPeriod)
                self.writer.beginSynchronization()
            }
            self.report(state.machine.progress)
            if try self.writer.takeEndOfSynchronization() { self.writer.performLater(state.machine.synced()) }
            return step != .leave
        }
    }

    private func report(_ count: DownloadProgress) {
        guard self.delegation != nil || self.hooks != nil else { return }
        let progress = TransferProgress(byteCount: count.completedByteCount, totalByteCount: count.totalByteCount)
        self.hooks?.progress(progress, progress.byteCount)
        self.delegation?.report(progress)
    }
}
