// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication
public import TernValues

/// Facts about TLS on a connection, such as the version, the cipher suite and the server's certificates.
public struct TLSFacts: Sendable {
    private final class Storage: Sendable {
        let version: TLSConfiguration.Version?
        let cipherSuite: TLSCipherSuite?
        let applicationProtocol: String?
        let trust: ServerTrust
        let isForOneCall: Bool
        let evaluation: Evaluation?

        init(
            _ version: TLSConfiguration.Version?,
            _ cipherSuite: TLSCipherSuite?,
            _ applicationProtocol: String?,
            _ trust: ServerTrust,
            _ isForOneCall: Bool,
            _ evaluation: Evaluation?
        ) {
            self.evaluation = evaluation
            self.version = version
            self.cipherSuite = cipherSuite
            self.applicationProtocol = applicationProtocol
            self.trust = trust
            self.isForOneCall = isForOneCall
        }
    }

    package typealias Evaluation = @Sendable (_ host: String) async -> ServerTrust

    private let storage: Storage

    /// Creates a description of TLS on a connection; with `isForOneCall`, no other call may use the connection.
    public init(
        version: TLSConfiguration.Version? = nil,
        cipherSuite: TLSCipherSuite? = nil,
        applicationProtocol: String? = nil,
        trust: ServerTrust,
        isForOneCall: Bool = false
    ) {
        self.storage = Storage(version, cipherSuite, applicationProtocol, trust, isForOneCall, nil)
    }

    /// Creates a description whose certificates can be evaluated for other hosts, with the same trust settings.
    package init(_ facts: TLSFacts, evaluatedBy evaluation: @escaping Evaluation) {
        self.storage = Storage(
            facts.version,
            facts.cipherSuite,
            facts.applicationProtocol,
            facts.trust,
            facts.isForOneCall,
            evaluation
        )
    }

    /// Returns these parameters as evaluated for another host; `nil` unless the certificates are trusted for both hosts.
    package func asserted(for host: String) async -> TLSFacts? {
        guard self.trust.evaluation == nil, let evaluation = self.storage.evaluation else { return nil }
        let trust = await evaluation(host)
        guard trust.evaluation == nil else { return nil }
        return TLSFacts(
            version: self.version,
            cipherSuite: self.cipherSuite,
            applicationProtocol: self.applicationProtocol,
            trust: trust
        )
    }

    /// The version of TLS; `nil` if the connection does not report it.
    public var version: TLSConfiguration.Version? { self.storage.version }
    /// The cipher suite; `nil` if the connection does not report it.
    public var cipherSuite: TLSCipherSuite? { self.storage.cipherSuite }
    /// The protocol that the server chose (ALPN, RFC 7301); `nil` if it chose none.
    package var applicationProtocol: String? { self.storage.applicationProtocol }
    /// The server's certificates and their evaluation.
    public var trust: ServerTrust { self.storage.trust }
    /// Whether only the call that made the connection may use it, because of a decision of that call's delegate.
    package var isForOneCall: Bool { self.storage.isForOneCall }
}

extension TLSFacts: Hashable, Identified {
    package struct Identity: Hashable {
        var version: TLSConfiguration.Version?
        var cipherSuite: TLSCipherSuite?
        var applicationProtocol: String?
        var trust: ServerTrust
        var isForOneCall: Bool
    }

    /// The values of all parameters, for comparing and hashing.
    package var identity: Identity {
        Identity(
            version: self.version,
            cipherSuite: self.cipherSuite,
            applicationProtocol: self.applicationProtocol,
            trust: self.trust,
            isForOneCall: self.isForOneCall
        )
    }
}

/// A TLS cipher suite, identified by its number in IANA's registry (RFC 8446 §B.4).
public struct TLSCipherSuite: RawRepresentable, Hashable, Sendable {
    /// The number of the suite.
    public let rawValue: UInt16

    /// Creates a suite from its number, which need not be registered.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    private static let names: [UInt16: String] = [
        0x1301: "TLS_AES_128_GCM_SHA256",
        0x1302: "TLS_AES_256_GCM_SHA384",
        0x1303: "TLS_CHACHA20_POLY1305_SHA256",
        0xC009: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
        0xC00A: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
        0xC013: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
        0xC014: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
        0xC027: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
        0xC02B: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        0xC02C: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        0xC02F: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        0xC030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        0xCCA8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        0xCCA9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        0x002F: "TLS_RSA_WITH_AES_128_CBC_SHA",
        0x0035: "TLS_RSA_WITH_AES_256_CBC_SHA",
        0x009C: "TLS_RSA_WITH_AES_128_GCM_SHA256",
        0x009D: "TLS_RSA_WITH_AES_256_GCM_SHA384",
    ]
}

extension TLSCipherSuite: CustomStringConvertible {
    /// The registered name if the client knows it, such as `TLS_AES_128_GCM_SHA256`; otherwise the number in hexadecimal.
    public var description: String {
        Self.names[self.rawValue] ?? "0x" + String(self.rawValue, radix: 16, uppercase: true)
    }
}
