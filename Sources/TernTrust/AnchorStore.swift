// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The trusted certificates, at which a path may end, keyed by their subject.
///
/// To continue a path, the search looks up the issuer that the last certificate names. The system has more than a
/// hundred roots, and a path needs one of them, so the store parses a root when a path first needs it.
final class AnchorStore: Sendable {
    private struct Content {
        var parsed: [EncodedName: [ParsedCertificate]] = [:]
        /// Certificates in DER form that no path has needed.
        var unparsed: [EncodedName: [[UInt8]]] = [:]
    }

    private let content: Mutex<Content>
    /// Whether the store has no certificates.
    let isEmpty: Bool

    /// Stores certificates that are parsed already.
    init(_ certificates: [ParsedCertificate]) {
        self.isEmpty = certificates.isEmpty
        self.content = Mutex(Content(parsed: Dictionary(grouping: certificates, by: \.subject)))
    }

    /// Stores certificates in DER form.
    ///
    /// Skips malformed certificates, such as an old one with a short key, so that the others stay trusted.
    init(skippingMalformed certificates: [[UInt8]]) {
        var content = Content()
        for der in certificates {
            guard let outline = try? CertificateOutline(der) else { continue }
            content.unparsed[outline.subject, default: []].append(der)
        }
        self.isEmpty = content.unparsed.isEmpty
        self.content = Mutex(content)
    }

    subscript(subject: EncodedName) -> [ParsedCertificate] {
        self.content.withLock { content in
            if let certificates = content.unparsed.removeValue(forKey: subject) {
                content.parsed[subject] = certificates.compactMap { try? ParsedCertificate($0) }
            }
            return content.parsed[subject] ?? []
        }
    }

    func contains(_ certificate: ParsedCertificate) -> Bool { self[certificate.subject].contains(certificate) }
}
