// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The trusted certificates, keyed by their subject; a root is parsed when a path first needs it.
final class AnchorStore: Sendable {
    private struct Content {
        var parsed: [EncodedName: [ParsedCertificate]] = [:]
        /// Certificates in DER form that no path has needed.
        var unparsed: [EncodedName: [[UInt8]]] = [:]
    }

    private let content: Mutex<Content>
    let isEmpty: Bool

    init(_ certificates: [ParsedCertificate]) {
        self.isEmpty = certificates.isEmpty
        self.content = Mutex(Content(parsed: Dictionary(grouping: certificates, by: \.subject)))
    }

    /// Stores certificates in DER form, except malformed ones, such as an old one with a short key.
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
