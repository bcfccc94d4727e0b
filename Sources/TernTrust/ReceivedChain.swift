// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
public import TernAuthentication
public import TernErrors
public import X509

struct ReceivedChain: Sendable {
    /// The maximum number of certificates that a server sends.
    ///
    /// Beyond it, the call throws `ClientError.tlsFailed(.invalidCertificate)`. Java's default is 10, and 3 is usual.
    static let maximumCount = 16
    /// The maximum length of all certificates together, in bytes.
    ///
    /// OpenSSL's default is 100 KiB, and 4 KiB is usual.
    static let maximumByteCount = 256 << 10

    let leaf: ParsedCertificate

    /// The other certificates, without malformed ones, because a path may not need those.
    let others: [ParsedCertificate]

    /// The reasons that certificates cannot be read, by subject.
    private let unreadable: [EncodedName: CertificateParsingError]

    init(_ chain: [[UInt8]]) throws(TLSFailure) {
        guard let first = chain.first else { throw .invalidCertificate("there are none") }
        do throws(CertificateParsingError) {
            self.leaf = try ParsedCertificate(first)
        } catch {
            throw .invalidCertificate("the first one \(error.reason)")
        }
        var others: [ParsedCertificate] = []
        var unreadable: [EncodedName: CertificateParsingError] = [:]
        for der in chain.dropFirst() {
            do throws(CertificateParsingError) {
                others.append(try ParsedCertificate(der))
            } catch {
                if let outline = try? CertificateOutline(der) { unreadable[outline.subject] = error }
            }
        }
        (self.others, self.unreadable) = (others, unreadable)
    }

    static func isBounded(_ chain: [[UInt8]]) -> Bool {
        chain.count <= self.maximumCount && chain.reduce(0) { $0 + $1.count } <= self.maximumByteCount
    }
}

extension ReceivedChain {
    /// The reason that no path was found, which names the missing issuer.
    var reasonForNoPath: TLSFailure {
        if self.leaf.issued(self.leaf) { return .selfSigned }
        var (tip, rest) = (self.leaf, self.others)
        while let index = rest.firstIndex(where: { $0.issued(tip) }) {
            tip = rest.remove(at: index)
            // The server sent the issuer, but the path finder skipped it because of an unsupported critical extension.
            guard tip.isUnderstood else { return .constraintViolated }
        }
        if let fault = self.unreadable[tip.issuer] {
            return .invalidCertificate("an authority's certificate \(fault.reason)")
        }
        return .unknownRoot(issuer: tip.fields.issuer.shortText)
    }
}

extension DistinguishedName {
    /// Real names of authorities are shorter, and a hostile name must not fill a log.
    private static let maximumTextLength = 128

    fileprivate var shortText: String {
        let text = self.description.unicodeScalars.prefix(Self.maximumTextLength).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "?"
            default: String(scalar)
            }
        }
        return text.joined()
    }
}

extension ServerTrust {
    /// Parses the certificates of `chain`, the server's own first; those that are not in `verifiedChain` may be forged.
    ///
    /// - Returns: As many certificates as `chain` has.
    /// - Throws: `TLSFailure.invalidCertificate` if there are more than 16 certificates or 256 KiB, or if swift-certificates cannot
    ///   represent one of them: it is malformed, or has an unsupported kind of key or signature, such as RSASSA-PSS, or a negative
    ///   serial number. The client may trust a certificate with RSASSA-PSS or such a number.
    public func certificates() throws(TLSFailure) -> [Certificate] {
        guard ReceivedChain.isBounded(self.chain) else { throw .invalidCertificate("there are too many of them") }
        do {
            return try self.chain.map { try Certificate(derEncoded: $0) }
        } catch {
            throw .invalidCertificate("one of them is malformed, or has an unsupported kind of key")
        }
    }
}
