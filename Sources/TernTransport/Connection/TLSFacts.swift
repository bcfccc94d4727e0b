// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication

/// What was agreed when TLS was established on a connection (RFC 8446 §4).
public struct TLSFacts: Hashable, Sendable {
    /// The version; `nil` if the connection does not tell.
    public var version: TLSConfiguration.Version?
    /// The cipher suite; `nil` if the connection does not tell.
    public var cipherSuite: TLSCipherSuite?
    /// The protocol that the server chose of those that were offered (ALPN, RFC 7301); `nil` if it chose none.
    public var applicationProtocol: String?
    /// What the server presented, and what was found when it was judged.
    public var trust: ServerTrust
    /// Whether the connection may serve only the call that it was made for: its own delegate approved of a server that
    /// is not trusted otherwise, or gave the certificate that the client showed.
    public var isForOneCall: Bool

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - version: the version; unknown by default.
    ///   - cipherSuite: the cipher suite; unknown by default.
    ///   - applicationProtocol: the protocol chosen; none by default.
    ///   - trust: what the server presented.
    ///   - isForOneCall: whether no other call may use the connection; `false` by default.
    public init(
        version: TLSConfiguration.Version? = nil,
        cipherSuite: TLSCipherSuite? = nil,
        applicationProtocol: String? = nil,
        trust: ServerTrust,
        isForOneCall: Bool = false
    ) {
        self.version = version
        self.cipherSuite = cipherSuite
        self.applicationProtocol = applicationProtocol
        self.trust = trust
        self.isForOneCall = isForOneCall
    }
}
