// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTransfers
import TernTransport

/// The state of an upload, which the driver shares with the observer of each exchange.
///
/// With the draft, the server names the upload in an informational response, while the client sends the file.
final class UploadSession: Sendable {
    private struct State {
        var machine: UploadStateMachine
        /// The number of the exchange that is running; `nil` if none is, or if the machine has ended it.
        var exchange: Int?
        var exchangeCount = 0
        /// The step that follows the exchange, if the machine has ended the exchange.
        var interruption: UploadStep?
        var failure: FileFailure?
        var cancel: (@Sendable () -> Void)?
        /// The time when the next record of the acknowledged offset is due.
        var recordTime: ClockInstant
    }

    /// The time after which another record of the acknowledged offset is due; a later call asks the server for it anyway.
    private static let recordPeriod = Duration.seconds(1)

    let record: UploadRecordFile
    let hooks: TransferHooks?

    private let clock: any TransportClock
    private let state: Mutex<State>

    init(
        _ configuration: UploadConfiguration,
        _ record: UploadRecordFile,
        clock: any TransportClock,
        hooks: TransferHooks? = nil
    ) {
        self.record = record
        self.clock = clock
        self.hooks = hooks
        var machine = UploadStateMachine(configuration, stored: record.stored)
        machine.confirms = hooks != nil
        self.state = Mutex(
            State(
                machine: machine,
                recordTime: clock.now.advanced(by: Self.recordPeriod)
            )
        )
    }

    func update<Value: Sendable>(_ event: (inout UploadStateMachine) -> sending Value) -> sending Value {
        self.state.withLock { event(&$0.machine) }
    }

    var failure: FileFailure? { self.state.withLock { $0.failure } }

    // MARK: An exchange

    /// Returns the observer of the next exchange; events that arrive after its end have no effect.
    func observeNext(for delegation: TaskDelegation) -> UploadObserver {
        let number = self.state.withLock { state in
            state.exchangeCount += 1
            state.exchange = state.exchangeCount
            return state.exchangeCount
        }
        return UploadObserver(self, number, delegation)
    }

    /// Begins an exchange, which `cancel` ends, at once if an earlier event has ended it already.
    func begin(cancelledBy cancel: @escaping @Sendable () -> Void) {
        let isOver = self.state.withLock { state in
            state.cancel = cancel
            return state.interruption != nil
        }
        if isOver { cancel() }
    }

    /// Ends an exchange after its actions on the record; returns the next step if the machine ended the exchange.
    func end() async -> UploadStep? {
        await self.record.settle()
        return self.state.withLock { state in
            (state.cancel, state.exchange) = (nil, nil)
            return state.interruption.take()
        }
    }

    func sent(byteCount: Int, in exchange: Int) -> UploadProgress {
        self.state.withLock { state in
            if state.exchange == exchange { state.machine.sent(byteCount: byteCount) }
            return state.machine.progress
        }
    }

    func resent(in exchange: Int) {
        self.state.withLock { state in
            if state.exchange == exchange { state.machine.resent() }
        }
    }

    func informed(_ notice: UploadNotice, in exchange: Int) {
        let now = self.clock.now
        let (steps, cancel) = self.state.withLock { state -> ([RecordStep], (@Sendable () -> Void)?) in
            guard state.exchange == exchange else { return ([], nil) }
            switch state.machine.informed(notice, now: self.clock.date, isDue: now >= state.recordTime) {
            case .proceed(let steps):
                if !steps.isEmpty { state.recordTime = now.advanced(by: Self.recordPeriod) }
                return (steps, nil)
            case .abort(let step):
                (state.interruption, state.exchange) = (step, nil)
                return ([], state.cancel)
            }
        }
        cancel?()
        self.record.performLater(steps) { failure in self.failed(failure) }
    }

    func failed(_ failure: FileFailure) {
        let cancel = self.state.withLock { state in
            state.failure = state.failure ?? failure
            (state.interruption, state.exchange) = (state.machine.fileFailed(), nil)
            return state.cancel
        }
        cancel?()
    }
}
