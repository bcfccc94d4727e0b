// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc.

#if !canImport(Darwin)
import TernErrors
import TernTransport
import TernURLLoading

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
