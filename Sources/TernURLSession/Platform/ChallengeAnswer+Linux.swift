// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import TernErrors
import TernTransport

extension ChallengeAnswer {
    /// Returns the answer to a challenge.
    ///
    /// libcurl decides about certificates itself, so `URLSession` challenges only for a password, after a complete 401.
    /// The stages of the client answer it with another request.
    static func answer(_ challenge: URLAuthenticationChallenge, for call: HTTPCall) async -> ChallengeAnswer {
        ChallengeAnswer(.rejectProtectionSpace, endsResponse: true)
    }
}
#endif
