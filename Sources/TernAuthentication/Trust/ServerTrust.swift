// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernValues

/// The certificates of a server, with the result of the default evaluation.
public struct ServerTrust: Hashable, Sendable {
    /// The host of the server or the proxy: a name or an address.
    public var host: String

    /// The certificates in DER form: the server's own first, then the others in any order.
    public var chain: [[UInt8]]

    /// The verified path, in DER form, from the server's certificate to the trusted one; rely only on these certificates.
    ///
    /// Empty if the evaluation failed, or if the policy is ``TrustPolicy/unverified``.
    public var verifiedChain: [[UInt8]]

    /// The reason that the server is not trusted; `nil` for a trusted server.
    public var evaluation: TLSFailure?

    /// The pin mismatches of sets whose enforcement is ``PinSet/Enforcement/reportOnly``; empty if the evaluation failed.
    public var pinReports: [PinMismatch]

    /// The pin of the key in the server's own certificate, for an app to pin; `nil` if it is unknown.
    public var leafPin: KeyPin?

    /// Creates a server trust, for example in a test.
    public init(
        host: String,
        chain: [[UInt8]],
        verifiedChain: [[UInt8]] = [],
        evaluation: TLSFailure? = nil,
        pinReports: [PinMismatch] = [],
        leafPin: KeyPin? = nil
    ) {
        (self.host, self.chain, self.verifiedChain) = (host, chain, verifiedChain)
        (self.evaluation, self.pinReports, self.leafPin) = (evaluation, pinReports, leafPin)
    }

    /// Whether the default evaluation trusts the server.
    package var isTrusted: Bool { self.evaluation == nil }
}

extension ServerTrust: CustomStringConvertible, Described {
    package var wording: String {
        let pin = self.leafPin.map { ", \($0)" } ?? ""
        return "\(self.host): \(self.evaluation?.description ?? "trusted")\(pin)"
    }
}
