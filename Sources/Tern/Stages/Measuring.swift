// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernErrors
import TernTransport

/// Measures each exchange of an observed call, as the last stage, so that it measures only the transport's work.
struct Measuring: Stage {
    /// Always `true`: only an observed call needs this stage.
    var isIdle: Bool { true }

    func isNeeded(by call: HTTPCall) -> Bool { call.observer != nil }

    @inline(__always)  // inlining into the witness saves a stack frame for every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        guard let delegation = call.delegation, let observer = call.observer else {
            return try await next.respond(to: call)
        }
        return try await self.measure(call, delegation, observer, next)
    }

    private func measure(
        _ call: HTTPCall,
        _ delegation: TaskDelegation,
        _ callObserver: any TransferObserver,
        _ next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        let meter = delegation.meter
        let number = meter.begin(call.request, attempt: call.attempt)
        let observer = TransactionObserver(number, of: delegation, reportingTo: callObserver)
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

/// Receives the transport's events for one request, the last of which may arrive after the next request has begun.
final class TransactionObserver: TransferObserver {
    let delegation: TaskDelegation

    private let number: Mutex<Int>
    /// The call's own observer: usually the delegation itself.
    private let callObserver: any TransferObserver

    init(_ number: Int, of delegation: TaskDelegation, reportingTo callObserver: any TransferObserver) {
        self.number = Mutex(number)
        self.delegation = delegation
        self.callObserver = callObserver
    }

    private var meter: CallMeter { self.delegation.meter }
    /// The number of the current exchange, which changes when the transport sends the request again.
    var currentNumber: Int { self.number.withLock { $0 } }

    func didReach(_ milestone: ExchangeMilestone) {
        if milestone == .repeating {
            let new = self.meter.repeat(self.currentNumber)
            self.number.withLock { $0 = new }
        } else {
            self.meter.reach(milestone, in: self.currentNumber)
        }
        self.callObserver.didReach(milestone)
    }

    func didSend(_ byteCount: Int64, of total: Int64?) {
        self.meter.sent(byteCount, in: self.currentNumber)
        self.callObserver.didSend(byteCount, of: total)
    }

    func didReceive(_ byteCount: Int64, of total: Int64?) {
        self.meter.received(byteCount, in: self.currentNumber)
        self.callObserver.didReceive(byteCount, of: total)
    }

    func didFail(_ error: ClientError) { self.meter.note(error, in: self.currentNumber) }

    func didReceiveInformational(_ response: HTTPResponse) { self.callObserver.didReceiveInformational(response) }
}
