// SPDX-License-Identifier: Apache-2.0

// Export TernValues, which declares `description` and similar members, so that `import Tern` makes these visible
// (MemberImportVisibility).
@_exported public import TernValues
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
public import TernRequests
import TernTransport

/// Sends bearer tokens (RFC 6750) to the given servers, and gets a new token when one expires or a server refuses it.
///
/// ```swift
/// let api = Origin(scheme: .https, host: "api.example.com")
/// var configuration = Client.Configuration()
/// configuration.bearer = [
///     BearerAuthentication(for: [api]) { old in
///         try await signInService.newToken()
///     }
/// ]
/// ```
///
/// When several requests need a token, one refresh gets it for all of them. If the closure throws, the waiting requests throw
/// `ClientError.interceptorFailed` with its error, and the next request starts another refresh. Requests in the task of the closure
/// carry no token of this source, even through the same client. If a server also refuses the new token, its 401 is the response.
/// A request that sets `Authorization` or a credential itself, or uses a Unix-domain socket, gets no token.
public final class BearerAuthentication: Sendable {
    package typealias Refresh = @Sendable (_ old: String?) async throws -> Token

    private struct State {
        var machine: BearerTokenStateMachine
        var waiters: [Int: Suspension<Outcome>] = [:]
        var refresh: (number: Int, task: Task<Void, Never>)?
    }

    private enum Outcome: Sendable {
        case token(String)
        case failed(any Error)
        case cancelled
        case timedOut(CallDeadline)
    }

    /// The objects whose `refresh` closure is running in this task, or has started this task.
    @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

    package let origins: Set<Origin>
    private let refresh: Refresh
    private let state: Mutex<State>

    /// Creates a source of tokens.
    ///
    /// - Parameters:
    ///   - origins: The origins that receive the tokens.
    ///   - token: A token that the application already has. With `nil`, the client gets one before the first request that needs it.
    ///   - refresh: A closure that returns a new token. Its argument is the token that expires or that a server no longer accepts,
    ///     or `nil` if the client has none. The client calls it in a separate task, and cancels that task when no request waits for
    ///     the token any longer.
    public init(
        for origins: Set<Origin>,
        token: Token? = nil,
        refresh: @escaping @Sendable (_ old: String?) async throws -> Token
    ) {
        self.origins = origins
        self.refresh = refresh
        self.state = Mutex(State(machine: BearerTokenStateMachine(token: token?.content)))
    }

    func covers(_ call: HTTPCall) -> Bool {
        self.origins.contains(call.destination.origin) && !Self.refreshing.contains(ObjectIdentifier(self))
    }

    func fieldValue(_ token: String, for call: HTTPCall) throws(ClientError) -> String {
        do throws(AuthorizationError) {
            let origin = call.destination.origin
            var authorizer = try Authorizer(preemptive: Credential(token: token), origin: origin)
            return try authorizer.fieldValue(method: "", target: "", bodyHash: nil, cnonce: "")
        } catch {
            throw .authenticationFailed(.credentialNotUsable(error.description), call.context(.authenticate))
        }
    }

    /// Returns a token, and waits for a refresh if necessary; `rejected` is a token that a server refused in this call.
    func token(rejecting rejected: String?, for call: HTTPCall) async throws(ClientError) -> String {
        let suspension = Suspension<Outcome>()
        let now = TokenRenewal.Moment(call.clock)
        let decision = self.state.withLock { state in
            let decision = state.machine.needed(rejecting: rejected, at: now)
            switch decision {
            case .use: break
            case .wait(let waiter): state.waiters[waiter] = suspension
            case .refresh(let number, let old, let waiter):
                state.waiters[waiter] = suspension
                state.refresh = (number, self.begin(number, replacing: old, call.clock))
            }
            return decision
        }
        switch decision {
        case .use(let token): return token
        case .wait(let waiter), .refresh(_, _, let waiter):
            return try await self.wait(suspension, as: waiter, for: call)
        }
    }

    private func wait(
        _ suspension: Suspension<Outcome>,
        as waiter: Int,
        for call: HTTPCall
    ) async throws(ClientError) -> String {
        let outcome = await suspension.wait(
            until: call.deadline,
            on: call.clock,
            onTimeout: { .timedOut($0) },
            onCancel: .cancelled
        )
        switch outcome {
        case .token(let token):
            return token
        case .failed(let error):
            // Even a `ClientError` is wrapped: it says what happened to another request, perhaps to another server.
            throw .interceptorFailed(error, call.context(.authenticate))
        case .cancelled:
            self.abandon(waiter)
            throw .cancelled(call.context(.authenticate))
        case .timedOut(let deadline):
            self.abandon(waiter)
            throw deadline.error(call.context(.authenticate))
        }
    }

    private func abandon(_ waiter: Int) {
        let task = self.state.withLock { state -> Task<Void, Never>? in
            state.waiters[waiter] = nil
            guard let number = state.machine.abandoned(waiter), state.refresh?.number == number else { return nil }
            return state.refresh.take()?.task
        }
        task?.cancel()
    }

    private func begin(_ number: Int, replacing old: String?, _ clock: any TransportClock) -> Task<Void, Never> {
        Self.$refreshing.withValue(Self.refreshing.union([ObjectIdentifier(self)])) {
            Task { [refresh] in
                do {
                    let token = try await refresh(old).content
                    self.end(number, .success(token), .token(token.value), clock)
                } catch {
                    self.end(number, .failure, .failed(error), clock)
                }
            }
        }
    }

    private func end(
        _ number: Int,
        _ event: BearerTokenStateMachine.Outcome,
        _ outcome: Outcome,
        _ clock: any TransportClock
    ) {
        let now = TokenRenewal.Moment(clock)
        let waiters = self.state.withLock { state in
            if state.refresh?.number == number { state.refresh = nil }
            return state.machine.refreshed(number, event, at: now).compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.resume(with: outcome) }
    }
}

extension BearerAuthentication: CustomStringConvertible, Described {
    package var wording: String { "Bearer for \(self.origins.map(\.description).sorted().joined(separator: ", "))" }
}
