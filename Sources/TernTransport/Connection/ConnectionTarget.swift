// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// Everything that makes one connection differ from another: two requests with equal targets may share one.
public struct ConnectionTarget: Hashable, Sendable {
    /// Scheme, host and port of the server.
    public var origin: Origin
    /// The Unix-domain socket to connect to instead of host and port; `nil` by default.
    public var unixSocketPath: String?
    /// The TLS settings; used only with the scheme `https`.
    public var tls: TLSConfiguration

    /// Creates a target.
    public init(origin: Origin, unixSocketPath: String? = nil, tls: TLSConfiguration = TLSConfiguration()) {
        self.origin = origin
        self.unixSocketPath = unixSocketPath
        self.tls = tls
    }

    /// Whether the connection is to be encrypted.
    public var isEncrypted: Bool { self.origin.scheme == .https }
}
