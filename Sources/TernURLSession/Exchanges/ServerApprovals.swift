// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernRequests

/// The servers of one session that not every call trusts, because later exchanges may use their connections without a challenge.
final class ServerApprovals: Sendable {
    private let facts = Mutex<[Origin: TLSFacts]>([:])

    subscript(origin: Origin) -> TLSFacts? {
        get { self.facts.withLock { $0[origin] } }
        set { self.facts.withLock { $0[origin] = newValue } }
    }
}
