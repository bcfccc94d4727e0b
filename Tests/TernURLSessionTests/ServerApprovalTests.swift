// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernConnections
import TernErrors
import TernURLLoading
import Testing

@testable import TernURLSession

@Suite("Approval of a server over URLSession")
struct ServerApprovalTests {
    private static let trusted = ServerTrust(host: "h", chain: [[1]])
    private static let untrusted = ServerTrust(host: "h", chain: [[2]], evaluation: .selfSigned)

    private static let byDefault = ChallengeAnswer(.performDefaultHandling, trust: Self.trusted)
    private static let ownCertificate = ChallengeAnswer(.useCredential, isForOneCall: true)

    private static func exception(isForOneCall: Bool) -> ChallengeAnswer {
        ChallengeAnswer(.useCredential, trust: Self.untrusted, isForOneCall: isForOneCall)
    }

    private func facts(_ answers: ChallengeAnswer...) -> TLSFacts? {
        var approval = ServerApproval()
        for answer in answers { approval.note(answer) }
        return approval.facts
    }

    @Test func `a server that every call trusts needs no approval`() {
        #expect(self.facts() == nil)
        #expect(self.facts(.byDefault) == nil)
        #expect(self.facts(Self.byDefault) == nil)
        #expect(self.facts(Self.byDefault, ChallengeAnswer(.useCredential)) == nil)
    }

    @Test(arguments: [true, false])
    func `an approved server is not trusted by every call`(_ isForOneCall: Bool) {
        let expected = TLSFacts(trust: Self.untrusted, isForOneCall: isForOneCall)
        #expect(self.facts(Self.exception(isForOneCall: isForOneCall)) == expected)
        #expect(self.facts(Self.exception(isForOneCall: isForOneCall), Self.byDefault) == expected)
    }

    @Test func `the certificate of one call is not that of others, in any order of the challenges`() {
        let expected = TLSFacts(trust: Self.trusted, isForOneCall: true)
        #expect(self.facts(Self.byDefault, Self.ownCertificate) == expected)
        #expect(self.facts(Self.ownCertificate, Self.byDefault) == expected)
    }
}
