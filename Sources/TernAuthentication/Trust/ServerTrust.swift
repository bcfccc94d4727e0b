// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernValues

/// What a server presented, and what the default evaluation says of it.
public struct ServerTrust: Hashable, Sendable {
    /// The host that was asked for: a name or an address.
    public var host: String

    /// The certificates in DER form as the server sent them: its own first, then those above it in any order.
    public var chain: [[UInt8]]

    /// The path that was verified, in DER form, from the server's certificate to the trusted one.
    ///
    /// Empty if the evaluation failed, and if nothing is verified (``TrustPolicy/unverified``). Only these certificates
    /// are to be believed: a server can send any certificate in addition to its own.
    public var verifiedChain: [[UInt8]]

    /// Why the server is not trusted; `nil` if it is.
    public var evaluation: TLSFailure?

    /// The mismatches of pins that are only to be reported (``PinSet/Enforcement/reportOnly``).
    public var pinReports: [PinReport]

    /// What to pin to pin the server's own key; `nil` if its certificate cannot be read.
    public var leafPin: KeyPin?

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - host: the host that was asked for.
    ///   - chain: the certificates in DER form, the server's own first.
    ///   - verifiedChain: the path to a trusted certificate; empty by default.
    ///   - evaluation: why the server is not trusted; `nil`, the default, if it is.
    ///   - pinReports: mismatches to be reported; none by default.
    ///   - leafPin: the pin of the server's own key; `nil` by default.
    public init(
        host: String,
        chain: [[UInt8]],
        verifiedChain: [[UInt8]] = [],
        evaluation: TLSFailure? = nil,
        pinReports: [PinReport] = [],
        leafPin: KeyPin? = nil
    ) {
        (self.host, self.chain, self.verifiedChain) = (host, chain, verifiedChain)
        (self.evaluation, self.pinReports, self.leafPin) = (evaluation, pinReports, leafPin)
    }

    /// Whether the default evaluation trusts the server.
    public var isTrusted: Bool { self.evaluation == nil }
}

extension ServerTrust: CustomStringConvertible, Described {
    /// The host, what is thought of it, and the pin of its key; not the certificates.
    package var wording: String {
        let pin = self.leafPin.map { ", \($0)" } ?? ""
        return "\(self.host): \(self.evaluation?.description ?? "trusted")\(pin)"
    }
}
