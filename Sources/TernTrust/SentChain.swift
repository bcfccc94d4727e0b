// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import Synchronization
public import TernAuthentication
public import TernErrors
public import X509

/// The certificates that a server sent, read.
struct SentChain: Sendable {
    /// Java's default is 10, and 3 is usual; whoever sends a few too many is forgiven.
    static let maximumCount = 16
    /// In bytes; OpenSSL's default is 100 KiB, and 4 KiB is usual.
    static let maximumByteCount = 256 << 10

    /// The server's own.
    let leaf: Certificate

    /// The others, of which those that cannot be read are left out: a path may lead around them.
    let others: [Certificate]

    /// Reads certificates in DER form, the server's own first.
    init(_ chain: [[UInt8]]) throws(TLSFailure) {
        guard let first = chain.first else { throw .invalidCertificate("there is none") }
        do {
            self.leaf = try Certificate(derEncoded: first)
        } catch {
            throw .invalidCertificate("the server's own cannot be read, or its kind of key is not supported")
        }
        self.others = chain.dropFirst().compactMap { try? Certificate(derEncoded: $0) }
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
        return .unknownRoot(issuer: tip.issuer.shortText)
    }
}

extension Certificate {
    /// Whether all extensions are understood that must be (RFC 5280 §4.2).
    var isUnderstood: Bool {
        self.extensions.allSatisfy { !$0.critical || CertificateJudge.understoodExtensions.contains($0.oid) }
    }

    fileprivate func issued(_ other: Certificate) -> Bool {
        self.subject == other.issuer && self.publicKey.isValidSignature(other.signature, for: other)
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

/// The certificates between the server's own and a trusted one, as X509 asks for them: for a bounded time.
///
/// Certificates can be made that issued each other, in any combination. With 15 of them there are more paths than can be
/// tried, and X509 would try them all.
struct SentStore: CustomCertificateStore {
    private var certificates: [DistinguishedName: [Certificate]]
    private let budget = Budget()

    init(_ certificates: [Certificate]) { self.certificates = Dictionary(grouping: certificates, by: \.subject) }

    subscript(subject: DistinguishedName) -> [Certificate]? {
        get async {
            guard let found = self.certificates[subject], self.budget.spend(found.count) else { return nil }
            return found
        }
    }

    func contains(_ certificate: Certificate) async -> Bool {
        self.certificates[certificate.subject]?.contains(certificate) ?? false
    }

    mutating func append(contentsOf certificates: some Sequence<Certificate>) {
        for certificate in certificates { self.certificates[certificate.subject, default: []].append(certificate) }
    }

    static func == (one: SentStore, other: SentStore) -> Bool { one.certificates == other.certificates }

    func hash(into hasher: inout Hasher) { hasher.combine(self.certificates) }

    /// How many signatures may still be verified; Go has the same limit (`maxChainSignatureChecks`).
    private final class Budget: Sendable {
        private let remaining = Atomic(100)

        /// Whether there was enough left.
        func spend(_ count: Int) -> Bool {
            self.remaining.subtract(count, ordering: .relaxed).newValue >= 0
        }
    }
}

extension ServerTrust {
    /// The certificates as the server sent them, read; its own first.
    ///
    /// Any of them can be forged unless it is in `verifiedChain`.
    ///
    /// - Returns: as many certificates as were sent.
    /// - Throws: `TLSFailure.invalidCertificate` if one cannot be read, or there are too many.
    public func certificates() throws(TLSFailure) -> [Certificate] {
        guard SentChain.isBounded(self.chain) else { throw .invalidCertificate("there are too many of them") }
        do {
            return try self.chain.map { try Certificate(derEncoded: $0) }
        } catch {
            throw .invalidCertificate("one cannot be read, or its kind of key is not supported")
        }
    }
}

extension Certificate {
    /// The bytes that were read: X509 keeps them.
    var derBytes: [UInt8] {
        var serializer = DER.Serializer()
        // Bytes that are kept are written as they are, which cannot fail.
        try? serializer.serialize(self)
        return serializer.serializedBytes
    }
}
