// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernValues

/// The certificates that a server presented, with the result of the default evaluation.
public struct ServerTrust: Hashable, Sendable {
    /// The requested host: a name or an address.
    public var host: String

    /// The certificates in DER form as received: the server's own first, then the ones above it in any order.
    public var chain: [[UInt8]]

    /// The verified path, in DER form, from the server's certificate to the trusted one.
    ///
    /// Empty if the evaluation failed, and if nothing is verified (``TrustPolicy/unverified``). Rely only on these
    /// certificates: a server can send any certificate in addition to its own.
    public var verifiedChain: [[UInt8]]

    /// The reason that the server is not trusted; `nil` if it is.
    public var evaluation: TLSFailure?

    /// The pin mismatches that are only reported (``PinSet/Enforcement/reportOnly``).
    public var pinReports: [PinMismatch]

    /// The pin of the server's own key, for pinning it; `nil` if its certificate cannot be read.
    public var leafPin: KeyPin?

    /// Creates a server trust.
    ///
    /// - Parameters:
    ///   - host: The requested host.
    ///   - chain: The certificates in DER form, the server's own first.
    ///   - verifiedChain: The path to a trusted certificate. Defaults to no certificates.
    ///   - evaluation: The reason that the server is not trusted. Defaults to `nil`, for a trusted server.
    ///   - pinReports: The mismatches to report. Defaults to none.
    ///   - leafPin: The pin of the server's own key. Defaults to `nil`.
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
    public var isTrusted: Bool { self.evaluation == nil }
}

extension ServerTrust: CustomStringConvertible, Described {
    /// The host, the result of the evaluation, and the pin of the server's key, without the certificates.
    package var wording: String {
        let pin = self.leafPin.map { ", \($0)" } ?? ""
        return "\(self.host): \(self.evaluation?.description ?? "trusted")\(pin)"
    }
}
