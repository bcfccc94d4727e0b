// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernConnections
import TernURLLoading

/// The decisions of a call's delegates in the handshake with one server.
struct ServerApproval: Sendable {
    private var trust: ServerTrust?
    private var isException = false
    private var isForOneCall = false

    mutating func note(_ answer: ChallengeAnswer) {
        if answer.isForOneCall { self.isForOneCall = true }
        // After an exception, a later handshake changes nothing, because both connections may be open.
        guard let trust = answer.trust, !self.isException else { return }
        self.trust = trust
        self.isException = answer.disposition == .useCredential
    }

    /// The certificates, for the stages that keep nothing of the server for other calls; `nil` if every call trusts the server.
    var facts: TLSFacts? {
        guard let trust = self.trust, self.isException || self.isForOneCall else { return nil }
        return TLSFacts(trust: trust, isForOneCall: self.isForOneCall)
    }
}
