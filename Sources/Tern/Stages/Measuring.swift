// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransport

/// Measures each transaction, nearest to the transport, for calls that are observed; others pass it by.
struct Measuring: Stage {
    /// Calls that are observed pass through all stages.
    var isIdle: Bool { true }

    func isNeeded(by call: Call) -> Bool { call.observer != nil }

    @inline(__always)  // into its witness: one frame less on the way of every call
    func respond(to call: Call, next: Next) async throws(ClientError) -> Reply {
        guard let delegation = call.delegation else { return try await next.respond(to: call) }
        return try await self.measure(call, delegation, next)
    }

    private func measure(
        _ call: Call,
        _ delegation: TaskDelegation,
        _ next: Next
    ) async throws(ClientError) -> Reply {
        let meter = delegation.meter
        let observer = TransactionObserver(meter.begin(call.request), of: delegation)
        var call = call
        call.setObserver(observer)
        do throws(ClientError) {
            let reply = try await next.respond(to: call)
            meter.answered(reply.response.statusCode, in: observer.currentNumber)
            return reply
        } catch {
            meter.fail(observer.currentNumber, error)
            throw error
        }
    }
}
