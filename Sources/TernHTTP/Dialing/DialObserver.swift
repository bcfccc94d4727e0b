// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernErrors
import TernTransport

/// Reports the steps of a dial to the call that began the dial, until that call gets another connection.
final class DialObserver: Sendable {
    private struct State {
        var observer: (any TransferObserver)?
        var phase: ClientError.Phase
    }

    /// Whether the call that began the dial has an observer.
    let isObserved: Bool

    private let state: Mutex<State>

    init(_ observer: (any TransferObserver)?, phase: ClientError.Phase) {
        self.isObserved = observer != nil
        self.state = Mutex(State(observer: observer, phase: phase))
    }

    /// The phase that the dial has reached.
    ///
    /// The error of a call that gives up reports this phase.
    var phase: ClientError.Phase { self.state.withLock { $0.phase } }

    /// Stops the reports to the call.
    func detach() { self.state.withLock { $0.observer = nil } }

    /// Records a step, and reports it to the call.
    func didReach(_ milestone: ExchangeMilestone) {
        let observer = self.state.withLock { state in
            switch milestone {
            case .tunnelling, .securing(isProxy: true): state.phase = .proxy
            case .securing(isProxy: false): state.phase = .tls
            default: break
            }
            return state.observer
        }
        observer?.didReach(milestone)
    }
}
