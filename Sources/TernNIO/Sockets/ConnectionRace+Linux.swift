// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import NIOCore
import Synchronization
import TernConnections
import TernErrors

final class ConnectionRace: Sendable {
    private struct Locked {
        var machine: ConnectionRaceStateMachine
        var attempts: [Int: SocketAttempt] = [:]
        var timer: ScheduledAction?
    }

    private let addresses: [SocketAddress]
    private let readiness: Readiness
    private let clock: any TransportClock
    private let report: (@Sendable (ConnectionMilestone) -> Void)?
    private let locked: Mutex<Locked>
    private let suspension = Suspension<Result<ConnectedSocket, ConnectionError>>()

    init(
        _ addresses: [SocketAddress],
        on readiness: Readiness,
        clock: any TransportClock,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) {
        self.addresses = Self.interleaved(addresses)
        self.readiness = readiness
        self.clock = clock
        self.report = report
        self.locked = Mutex(Locked(machine: ConnectionRaceStateMachine(addressCount: addresses.count)))
    }

    /// "Whichever address family is first in the list should be followed by an address of the other address family" (RFC 8305
    /// §4).
    static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
        guard let family = addresses.first?.protocol else { return [] }
        var first = addresses.filter { $0.protocol == family }[...]
        var others = addresses.filter { $0.protocol != family }[...]
        var result: [SocketAddress] = []
        while let address = first.popFirst() {
            result.append(address)
            if let other = others.popFirst() { result.append(other) }
        }
        return result + others
    }

    /// Returns the fastest socket, owned by the caller, and closes all others, or all on an error.
    func run(until deadline: CallDeadline?) async throws(ConnectionError) -> ConnectedSocket {
        defer { self.locked.withLock { $0.timer.take() }?.cancel() }
        self.perform { $0.begin() }
        do throws(ConnectionError) {
            return try await self.suspension.success(until: deadline, on: self.clock)
        } catch {
            self.perform { $0.gaveUp() }
            throw error
        }
    }

    /// Performs the effects of an event, and begins attempts until one is waiting for the network.
    private func perform(_ event: (inout ConnectionRaceStateMachine) -> ConnectionRaceStateMachine.Effects) {
        self.begin(from: self.attemptToBegin(after: event))
    }

    private func begin(from first: Int?) {
        var next = first
        while let index = next, let outcome = self.begin(index) { next = self.attemptToBegin(after: index, outcome) }
    }

    /// Performs the effects of an event, except the attempt to begin, which it returns.
    private func attemptToBegin(
        after event: (inout ConnectionRaceStateMachine) -> ConnectionRaceStateMachine.Effects
    ) -> Int? {
        let (effects, abandoned) = self.locked.withLock { locked in
            let effects = event(&locked.machine)
            return (effects, effects.abandons.compactMap { locked.attempts.removeValue(forKey: $0) })
        }
        for attempt in abandoned where attempt.abandon() { self.report(attempt, .interrupted) }
        if let failure = effects.failure { self.suspension.resume(with: .failure(.notConnected(failure))) }
        if effects.armsTimer { self.armTimer() }
        return effects.attempt
    }

    private func armTimer() {
        let timer = self.clock.schedule(at: self.clock.now.advanced(by: ConnectionRaceStateMachine.delay)) {
            self.perform { $0.delayPassed() }
        }
        let unwanted = self.locked.withLock { locked -> ScheduledAction? in
            guard !locked.machine.isOver else { return timer }
            defer { locked.timer = timer }
            return locked.timer
        }
        unwanted?.cancel()
    }

    /// Begins an attempt; returns its outcome, if the system knows it at once.
    private func begin(_ index: Int) -> SocketAttempt.Outcome? {
        let attempt = SocketAttempt(to: self.addresses[index], on: self.readiness) { outcome in
            self.begin(from: self.attemptToBegin(after: index, outcome))
        }
        let isWanted = self.locked.withLock { locked in
            guard locked.machine.isRunning(index) else { return false }
            locked.attempts[index] = attempt
            return true
        }
        guard isWanted else { return nil }
        self.report?(.attempting(address: attempt.addressText))
        return attempt.begin()
    }

    /// Handles the outcome of an attempt; returns the attempt to begin.
    private func attemptToBegin(after index: Int, _ outcome: SocketAttempt.Outcome) -> Int? {
        let attempt = self.locked.withLock { $0.attempts.removeValue(forKey: index) }
        switch outcome {
        case .failed(let failure):
            if let attempt { self.report(attempt, failure) }
            return self.attemptToBegin(after: { $0.failed(index, failure) })
        case .connected(let descriptor):
            if let attempt { self.report(attempt, nil) }
            let socket = ConnectedSocket(descriptor: descriptor, remoteAddress: self.addresses[index])
            var isWinner = false
            let next = self.attemptToBegin(after: { machine in
                guard let effects = machine.connected(index) else { return .init() }
                isWinner = true
                return effects
            })
            if !isWinner || !self.suspension.resume(with: .success(socket)) { socket.close() }
            return next
        }
    }

    private func report(_ attempt: SocketAttempt, _ failure: ConnectionFailure?) {
        self.report?(.attempted(address: attempt.addressText, failure))
    }
}
#endif
