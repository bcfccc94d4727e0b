// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernErrors
import TernTransport

/// Follows a dial, and reports its steps to the call that began it, until something else serves that call.
final class DialObserver: Sendable {
    private struct State {
        var observer: (any TransferObserver)?
        var phase: ClientError.Phase
    }

    /// Whether a call observed the dial when it began.
    let isObserved: Bool

    private let state: Mutex<State>

    init(_ observer: (any TransferObserver)?, phase: ClientError.Phase) {
        self.isObserved = observer != nil
        self.state = Mutex(State(observer: observer, phase: phase))
    }

    /// The step that the dial has reached.
    var phase: ClientError.Phase { self.state.withLock { $0.phase } }

    /// Stops reporting to the call.
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
