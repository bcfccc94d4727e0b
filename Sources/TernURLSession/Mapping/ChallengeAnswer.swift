// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernErrors
import TernURLLoading

/// The answer to a challenge of `URLSession`.
struct ChallengeAnswer: Sendable {
    var disposition: URLSession.AuthChallengeDisposition
    var credential: URLCredential?
    /// The certificates that the challenge is about, as evaluated; `nil` if no delegate was asked about them.
    var trust: ServerTrust?
    /// The error with which the call fails; `nil` if it goes on.
    var failure: ClientError?
    /// Whether only this call may use the connection, so that the call begins again in a separate session.
    var isForOneCall = false
    /// Whether the response with the challenge is complete, and the task ends without saying so.
    var endsResponse = false

    init(
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential? = nil,
        trust: ServerTrust? = nil,
        failure: ClientError? = nil,
        isForOneCall: Bool = false,
        endsResponse: Bool = false
    ) {
        self.disposition = disposition
        self.credential = credential
        self.trust = trust
        self.failure = failure
        self.isForOneCall = isForOneCall
        self.endsResponse = endsResponse
    }

    static var byDefault: ChallengeAnswer { ChallengeAnswer(.performDefaultHandling) }
}
