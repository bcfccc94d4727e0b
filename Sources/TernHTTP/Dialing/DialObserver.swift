// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernErrors
import TernTransport

/// Reports the steps of a dial to the call that began the dial, until that call no longer needs the dial.
final class DialObserver: Sendable {
    private struct State {
        var observer: (any TransferObserver)?
        var phase: ClientError.Phase
    }

    let isObserved: Bool

    private let state: Mutex<State>

    init(_ observer: (any TransferObserver)?, phase: ClientError.Phase) {
        self.isObserved = observer != nil
        self.state = Mutex(State(observer: observer, phase: phase))
    }

    var phase: ClientError.Phase { self.state.withLock { $0.phase } }

    func detach() { self.state.withLock { $0.observer = nil } }

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
