// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
package import TernProxies

/// Gives the `Proxy-Authorization` of requests for a tunnel (RFC 9110 §11.7.2).
package protocol TunnelAuthorizer: Sendable {
    /// Begins to open one tunnel.
    ///
    /// - Parameters:
    ///   - authority: host and port of the server, as it is in the request line.
    ///   - proxy: the proxy.
    ///   - call: who needs the tunnel.
    /// - Returns: what answers this proxy's challenges.
    func tunnel(to authority: String, through proxy: Proxy, for call: HTTPCall) -> any TunnelAuthorization
}

/// Answers the challenges that a proxy makes before it opens one tunnel.
package protocol TunnelAuthorization: AnyObject, Sendable {
    /// The field for the next attempt; a field, because its value need not be UTF-8.
    ///
    /// - Parameter response: the 407 to answer; `nil` before the first attempt.
    /// - Returns: the field; `nil` if there is none, which ends the attempts after a 407.
    /// - Throws: `ClientError`, when a delegate cancels the challenge, or the call is cancelled.
    func field(answering response: HTTPResponse?) async throws(ClientError) -> HTTPField?

    /// Whether what was sent last is for this call alone, so that no other may go through the tunnel.
    var isForOneCall: Bool { get }

    /// The tunnel is open: what was sent last is good.
    ///
    /// - Throws: `ClientError`, when the call is cancelled or its time is over meanwhile.
    func accepted() async throws(ClientError)
}
