// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernConnections
import TernErrors
import TernRequests
import TernTransfers
import TernTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of an upload, which the driver shares with the observer of each exchange.
///
/// With the draft, the server names the upload in an informational response, while the client sends the file. So the
/// observer passes that response to the machine at once, and the record is written while the exchange goes on.
final class UploadSession: Sendable {
    private struct State {
        var machine: UploadStateMachine
        /// The step that follows the exchange, if the machine has ended the exchange.
        var interruption: UploadStep?
        /// The failure to write the record; `nil` if there was none.
        var failure: FileFailure?
        /// Cancels the exchange; `nil` if none is running.
        var cancel: (@Sendable () -> Void)?
        /// The time when the next record of the acknowledged offset is due.
        var recordTime: ClockInstant
    }

    /// The time after which another record of the acknowledged offset is due.
    ///
    /// A server may acknowledge each packet. A record whose offset is a second old costs nothing, because a later call
    /// asks the server for the offset anyway.
    private static let recordPeriod = Duration.seconds(1)

    let record: UploadRecordFile

    private let clock: any TransportClock
    private let state: Mutex<State>

    init(_ configuration: UploadConfiguration, _ record: UploadRecordFile, clock: any TransportClock) {
        self.record = record
        self.clock = clock
        self.state = Mutex(
            State(
                machine: UploadStateMachine(configuration, stored: record.stored),
                recordTime: clock.now.advanced(by: Self.recordPeriod)
            )
        )
    }

    /// Passes an event to the machine.
    func update<Value: Sendable>(_ event: (inout UploadStateMachine) -> sending Value) -> sending Value {
        self.state.withLock { event(&$0.machine) }
    }

    /// The failure to write the record; `nil` if there was none.
    var failure: FileFailure? { self.state.withLock { $0.failure } }

    // MARK: An exchange

    /// Begins an exchange, which `cancel` ends.
    ///
    /// If an earlier event has ended the exchange already, calls `cancel` at once.
    func begin(cancelledBy cancel: @escaping @Sendable () -> Void) {
        let isOver = self.state.withLock { state in
            state.cancel = cancel
            return state.interruption != nil
        }
        if isOver { cancel() }
    }

    /// Ends an exchange, after waiting for the actions on the record that the exchange caused.
    ///
    /// - Returns: The next step, if the machine ended the exchange; `nil` if the exchange ended by itself.
    func end() async -> UploadStep? {
        await self.record.settle()
        return self.state.withLock { state in
            state.cancel = nil
            return state.interruption.take()
        }
    }

    /// Records that more content was sent; returns the progress.
    func sent(byteCount: Int) -> UploadProgress {
        self.state.withLock { state in
            state.machine.sent(byteCount: byteCount)
            return state.machine.progress
        }
    }

    /// Passes an informational response to the machine, and performs the reaction.
    func informed(_ notice: UploadNotice) {
        let now = self.clock.now
        let (steps, cancel) = self.state.withLock { state -> ([RecordStep], (@Sendable () -> Void)?) in
            guard state.interruption == nil else { return ([], nil) }
            switch state.machine.informed(notice, now: self.clock.date, isDue: now >= state.recordTime) {
            case .proceed(let steps):
                if !steps.isEmpty { state.recordTime = now.advanced(by: Self.recordPeriod) }
                return (steps, nil)
            case .abort(let step):
                state.interruption = step
                return ([], state.cancel)
            }
        }
        cancel?()
        self.record.performLater(steps) { failure in self.failed(failure) }
    }

    /// Ends the exchange, because the record could not be written.
    func failed(_ failure: FileFailure) {
        let cancel = self.state.withLock { state in
            state.failure = state.failure ?? failure
            state.interruption = state.machine.fileFailed()
            return state.cancel
        }
        cancel?()
    }
}
