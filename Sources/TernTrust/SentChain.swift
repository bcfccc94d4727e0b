// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
public import TernAuthentication
public import TernErrors
public import X509

/// The certificates that a server sent, read.
struct SentChain: Sendable {
    /// Java's default is 10, and 3 is usual; a server that sends a few too many is accepted.
    static let maximumCount = 16
    /// In bytes; OpenSSL's default is 100 KiB, and 4 KiB is usual.
    static let maximumByteCount = 256 << 10

    /// The server's own.
    let leaf: ReadCertificate

    /// The others, without those that cannot be read: a path may lead around them.
    let others: [ReadCertificate]

    /// Why each of the others cannot be read, by its name in DER form.
    private let unreadable: [ArraySlice<UInt8>: UnreadableCertificate]

    /// Reads certificates in DER form, the server's own first.
    init(_ chain: [[UInt8]]) throws(TLSFailure) {
        guard let first = chain.first else { throw .invalidCertificate("there is none") }
        do throws(UnreadableCertificate) {
            self.leaf = try ReadCertificate(first)
        } catch {
            throw .invalidCertificate("the server's own \(error.reason)")
        }
        var others: [ReadCertificate] = []
        var unreadable: [ArraySlice<UInt8>: UnreadableCertificate] = [:]
        for der in chain.dropFirst() {
            do throws(UnreadableCertificate) {
                others.append(try ReadCertificate(der))
            } catch {
                if let outline = try? CertificateOutline(der) { unreadable[outline.subject.encodedBytes] = error }
            }
        }
        (self.others, self.unreadable) = (others, unreadable)
    }

    static func isBounded(_ chain: [[UInt8]]) -> Bool {
        chain.count <= self.maximumCount && chain.reduce(0) { $0 + $1.count } <= self.maximumByteCount
    }
}

extension SentChain {
    /// Why no path was found: follows the issuers as far as they were sent, to name the one that is missing.
    var reasonForNoPath: TLSFailure {
        if self.leaf.issued(self.leaf) { return .selfSigned }
        var (tip, rest) = (self.leaf, self.others)
        while let index = rest.firstIndex(where: { $0.issued(tip) }) {
            tip = rest.remove(at: index)
            // The issuer was there and was passed over for this.
            guard tip.isUnderstood else { return .constraintViolated }
        }
        if let issuer = try? CertificateOutline(tip.der).issuer.encodedBytes, let fault = self.unreadable[issuer] {
            return .invalidCertificate("an authority's \(fault.reason)")
        }
        return .unknownRoot(issuer: tip.fields.issuer.shortText)
    }
}

extension DistinguishedName {
    /// No name of an authority is longer; a hostile one must not fill a log.
    private static let maximumTextLength = 128

    /// The name for people, on one line.
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
    /// The certificates as the server sent them, read; its own first.
    ///
    /// Any of them can be forged unless it is in `verifiedChain`.
    ///
    /// - Returns: as many certificates as were sent.
    /// - Throws: `TLSFailure.invalidCertificate` if one cannot be read, or there are too many; also for a negative serial
    ///   number, which swift-certificates has no value for, although such a certificate can be trusted.
    public func certificates() throws(TLSFailure) -> [Certificate] {
        guard SentChain.isBounded(self.chain) else { throw .invalidCertificate("there are too many of them") }
        do {
            return try self.chain.map { try Certificate(derEncoded: $0) }
        } catch {
            throw .invalidCertificate("one cannot be read, or has a kind of key that is not supported")
        }
    }
}
