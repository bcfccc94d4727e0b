// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernErrors
import TernTransport

/// Takes what the transport reports of one transaction: measures it, and tells the call's delegates.
///
/// Each transaction has its own, since the last of one may be reported when the next has begun.
final class TransactionObserver: TransferObserver {
    /// Who speaks to the call's delegates.
    let delegation: TaskDelegation

    private let number: Mutex<Int>

    init(_ number: Int, of delegation: TaskDelegation) {
        self.number = Mutex(number)
        self.delegation = delegation
    }

    private var meter: CallMeter { self.delegation.meter }
    /// Which transaction it is now; one that is repeated becomes another.
    var currentNumber: Int { self.number.withLock { $0 } }

    func didReach(_ milestone: ExchangeMilestone) {
        if milestone == .repeating {
            let new = self.meter.repeat(self.currentNumber)
            self.number.withLock { $0 = new }
        } else {
            self.meter.reach(milestone, in: self.currentNumber)
        }
        self.delegation.didReach(milestone)
    }

    func didSend(_ byteCount: Int64, of total: Int64?) {
        self.meter.sent(byteCount, in: self.currentNumber)
        self.delegation.didSend(byteCount, of: total)
    }

    func didReceive(_ byteCount: Int64, of total: Int64?) {
        self.meter.received(byteCount, in: self.currentNumber)
        self.delegation.didReceive(byteCount, of: total)
    }

    func didFail(_ error: ClientError) { self.meter.failBody(self.currentNumber, error) }

    func didReceiveInformational(_ response: HTTPResponse) { self.delegation.didReceiveInformational(response) }
}
