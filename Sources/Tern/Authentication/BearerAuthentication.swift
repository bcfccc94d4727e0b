// SPDX-License-Identifier: Apache-2.0

// Exported, so that `description` and its like are found where only this module is imported (MemberImportVisibility).
@_exported public import TernValues
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
public import TernRequests
import TernTransport

/// Sends bearer tokens (RFC 6750) to the servers that they are for, and gets new ones when they are refused.
///
/// ```swift
/// var configuration = Client.Configuration()
/// configuration.bearer = [
///     BearerAuthentication(for: [Origin(scheme: .https, host: "api.example.com")]) { refused in
///         try await signInService.newToken()
///     }
/// ]
/// ```
///
/// However many requests need a token at a moment, one refresh gets it for all; if it fails, it fails for all of them,
/// and the next request tries again. Requests that the refresh itself makes, by the same client too, go without a token.
/// A request that is refused twice gives the 401.
public final class BearerAuthentication: Sendable {
    /// Gets a new token; `refused` is the one that a server no longer accepts, `nil` if there was none.
    package typealias Refresh = @Sendable (_ refused: String?) async throws -> String

    private struct State {
        var machine: BearerTokenStateMachine
        var waiters: [Int: Suspension<Outcome>] = [:]
        var refresh: (number: Int, task: Task<Void, Never>)?
    }

    private enum Outcome: Sendable {
        case token(String)
        /// The provider threw an error of this type.
        case failed(type: String)
        case cancelled
        case timedOut(CallDeadline)
    }

    /// The objects whose refresh the task is part of.
    @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

    /// The origins that the tokens are for; no other origin gets them.
    package let origins: Set<Origin>
    private let refresh: Refresh
    private let state: Mutex<State>

    /// Creates a source of tokens.
    ///
    /// - Parameters:
    ///   - origins: The origins that receive the tokens.
    ///   - token: a token from an earlier session; `nil`, the default, if there is none, and then the first request gets
    ///     one before it is sent.
    ///   - refresh: gets a new token; its argument is the one that a server no longer accepts, `nil` if there was none. Called
    ///     in a task of its own, which is cancelled when no request waits any more.
    public init(
        for origins: Set<Origin>,
        token: String? = nil,
        refresh: @escaping @Sendable (_ refused: String?) async throws -> String
    ) {
        self.origins = origins
        self.refresh = refresh
        self.state = Mutex(State(machine: BearerTokenStateMachine(token: token)))
    }

    /// Whether the call is sent with a token.
    func covers(_ call: HTTPCall) -> Bool {
        self.origins.contains(call.destination.origin) && !Self.refreshing.contains(ObjectIdentifier(self))
    }

    /// The value of `Authorization`.
    func fieldValue(_ token: String, for call: HTTPCall) throws(ClientError) -> String {
        do throws(AuthorizationError) {
            let origin = call.destination.origin
            var authorizer = try Authorizer(preemptive: Credential(token: token), origin: origin)
            return try authorizer.fieldValue(method: "", target: "", bodyHash: nil, cnonce: "")
        } catch {
            throw .authenticationFailed(.credentialNotUsable(error.description), call.context(.authenticate))
        }
    }

    /// A token, for which the call waits if need be.
    ///
    /// - Parameters:
    ///   - rejected: the one that a server did not accept from this call.
    ///   - call: who needs it.
    /// - Returns: the token.
    /// - Throws: `ClientError.authenticationFailed` if there is none, `.cancelled`, `.timedOut`.
    func token(rejecting rejected: String?, for call: HTTPCall) async throws(ClientError) -> String {
        let suspension = Suspension<Outcome>()
        let decision = self.state.withLock { state in
            let decision = state.machine.needed(rejecting: rejected)
            switch decision {
            case .use: break
            case .wait(let waiter): state.waiters[waiter] = suspension
            case .refresh(let number, let waiter):
                state.waiters[waiter] = suspension
                state.refresh = (number, self.begin(number, refused: rejected))
            }
            return decision
        }
        switch decision {
        case .use(let token): return token
        case .wait(let waiter), .refresh(_, let waiter):
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
            late: { .timedOut($0) },
            onCancel: .cancelled
        )
        switch outcome {
        case .token(let token):
            return token
        case .failed(let type):
            throw .authenticationFailed(.refreshFailed(type: type), call.context(.authenticate))
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

    private func begin(_ number: Int, refused: String?) -> Task<Void, Never> {
        Self.$refreshing.withValue(Self.refreshing.union([ObjectIdentifier(self)])) {
            Task { [refresh] in
                do {
                    let token = try await refresh(refused)
                    self.end(number, .success(token), .token(token))
                } catch {
                    self.end(number, .failure, .failed(type: "\(type(of: error))"))
                }
            }
        }
    }

    private func end(_ number: Int, _ event: BearerTokenStateMachine.Outcome, _ outcome: Outcome) {
        let waiters = self.state.withLock { state in
            if state.refresh?.number == number { state.refresh = nil }
            return state.machine.refreshed(number, event).compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.resume(with: outcome) }
    }
}

extension BearerAuthentication: CustomStringConvertible, Described {
    /// The origins that the tokens are for; never a token.
    package var wording: String { "Bearer for \(self.origins.map(\.description).sorted().joined(separator: ", "))" }
}
