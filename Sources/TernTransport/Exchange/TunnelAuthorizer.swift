// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
package import TernProxies

/// Provides the field `Proxy-Authorization` (RFC 9110 §11.7.2) of CONNECT requests, which ask a proxy for a tunnel.
package protocol TunnelAuthorizer: Sendable {
    /// Begins the authorization of one tunnel.
    ///
    /// - Parameters:
    ///   - authority: The host and port of the server, as in the request line.
    ///   - proxy: The proxy.
    ///   - call: The call that needs the tunnel.
    /// - Returns: An object that answers this proxy's challenges.
    func tunnel(to authority: String, through proxy: Proxy, for call: HTTPCall) -> any TunnelAuthorization
}

/// Answers the challenges that a proxy makes before it opens one tunnel.
package protocol TunnelAuthorization: AnyObject, Sendable {
    /// Returns the field for the next CONNECT request.
    ///
    /// The result is not a string, because the value may be invalid UTF-8.
    ///
    /// - Parameter response: The 407 response to answer; `nil` before the first CONNECT request.
    /// - Returns: The field; `nil` to send none. After a 407, `nil` means that the client gives up.
    /// - Throws: `ClientError` when a delegate cancels the challenge, or the call is cancelled.
    func field(answering response: HTTPResponse?) async throws(ClientError) -> HTTPField?

    /// Whether the credentials that were sent last are for this call only, so that no other call may use the tunnel.
    var isForOneCall: Bool { get }

    /// Reports that the tunnel is open, so the credentials that were sent last are valid.
    ///
    /// - Throws: `ClientError` when the call is cancelled or times out during this method.
    func accepted() async throws(ClientError)
}
