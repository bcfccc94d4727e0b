// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization

/// A priority that you can change while its requests are under way (RFC 9218 §6).
///
/// ```swift
/// let priority = AdjustablePriority(RequestPriority(urgency: 6))
/// let request = Request(url: photo).priority(priority)
/// let loading = Task { try await client.data(for: request).0 }
/// priority.current = RequestPriority(urgency: 1)  // the photo has become visible
/// ```
///
/// Over HTTP/2, the client tells the server about a change at once (PRIORITY_UPDATE, RFC 9218 §7.1). Over HTTP/1.1, and over
/// `URLSession`, a change applies only to attempts that begin later. Several requests can share one value.
public final class AdjustablePriority: Sendable {
    package final class Listener: Sendable {
        private let priority: AdjustablePriority
        private let number: Int

        fileprivate init(_ priority: AdjustablePriority, _ number: Int) {
            self.priority = priority
            self.number = number
        }

        deinit { self.priority.remove(self.number) }
    }

    private struct State {
        var current: RequestPriority
        var actions: [Int: @Sendable (RequestPriority) -> Void] = [:]
        var lastNumber = 0
    }

    private let state: Mutex<State>

    /// Creates a priority.
    public init(_ priority: RequestPriority = RequestPriority()) { self.state = Mutex(State(current: priority)) }

    /// The present priority, which any thread can set.
    ///
    /// The server decides whether to act on a change, and a change may arrive too late to have an effect.
    public var current: RequestPriority {
        get { self.state.withLock { $0.current } }
        set {
            let actions = self.state.withLock { state -> [@Sendable (RequestPriority) -> Void] in
                guard state.current != newValue else { return [] }
                state.current = newValue
                return Array(state.actions.values)
            }
            for action in actions { action(newValue) }
        }
    }

    /// Calls an action, which must not retain the listener, with each new value until the listener is released.
    package func onChange(_ action: @escaping @Sendable (RequestPriority) -> Void) -> Listener {
        let number = self.state.withLock { state in
            state.lastNumber += 1
            state.actions[state.lastNumber] = action
            return state.lastNumber
        }
        return Listener(self, number)
    }

    private func remove(_ number: Int) {
        // The action is released outside of the lock.
        _ = self.state.withLock { $0.actions.removeValue(forKey: number) }
    }
}

extension Request {
    /// Sets a priority that you can change while the request is under way (RFC 9218 §6).
    ///
    /// Each attempt sends the present priority in the field `Priority`, in place of a `Priority` field that the request has.
    public func priority(_ priority: AdjustablePriority) -> Request {
        self.priority(priority.current).with { $0.options.adjustablePriority = priority }
    }
}

extension RequestOptions {
    package var adjustablePriority: AdjustablePriority? {
        get { self[AdjustablePriorityOption.self]?.priority }
        set { self[AdjustablePriorityOption.self] = newValue.map { SharedPriority(priority: $0) } }
    }
}

private enum AdjustablePriorityOption: RequestOption {
    typealias Value = SharedPriority
}

private struct SharedPriority: Hashable, Sendable {
    let priority: AdjustablePriority

    static func == (one: SharedPriority, other: SharedPriority) -> Bool { one.priority === other.priority }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self.priority)) }
}
