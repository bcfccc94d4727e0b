// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc.

#if !canImport(Darwin)
import TernErrors
import TernTransport
import TernURLLoading

extension ChallengeAnswer {
    /// Answers the only challenge of libcurl, after a complete 401, which the stages of the client answer with another request.
    static func answer(_ challenge: URLAuthenticationChallenge, for call: HTTPCall) async -> ChallengeAnswer {
        ChallengeAnswer(.rejectProtectionSpace, endsResponse: true)
    }
}
#endif
