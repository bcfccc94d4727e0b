// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
package import TernProxies

/// Provides the field `Proxy-Authorization` (RFC 9110 §11.7.2) of CONNECT requests, which ask a proxy for a tunnel.
package protocol TunnelAuthorizer: Sendable {
    /// Begins the authorization of one tunnel to a host and port, as in the request line of CONNECT.
    func tunnel(to authority: String, through proxy: Proxy, for call: HTTPCall) -> any TunnelAuthorization
}

package protocol TunnelAuthorization: AnyObject, Sendable {
    /// Returns the field for the next CONNECT request; `nil` to send none, and after a 407 to give up.
    func field(answering response: HTTPResponse?) async throws(ClientError) -> HTTPField?

    /// Whether the credentials that were sent last are for this call only, so that no other call may use the tunnel.
    var isForOneCall: Bool { get }

    /// Reports that the tunnel is open, so the credentials that were sent last are valid.
    func accepted() async throws(ClientError)
}
