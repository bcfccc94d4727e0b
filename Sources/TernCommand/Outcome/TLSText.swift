// SPDX-License-Identifier: Apache-2.0
import Tern
import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is to be known about TLS, in lines for people; each begins with a star, as in curl.
enum TLSText {
    /// What a server showed, and what is thought of it.
    static func lines(on trust: ServerTrust) -> String {
        var lines = ["\(trust.host) shows \(trust.chain.count) certificates"]
        if let certificates = try? trust.certificates() {
            for (index, (certificate, bytes)) in zip(certificates, trust.chain).enumerated() {
                lines.append("\(index + 1). \(certificate.subject), by \(certificate.issuer)")
                lines.append("   valid until \(certificate.notValidAfter.formatted(.iso8601))")
                if let pin = Pin(certificate: bytes) { lines.append("   \(pin)") }
            }
        }
        lines.append(trust.evaluation.map { "not trusted: \($0)" } ?? "trusted")
        return Self.text(lines)
    }

    /// What was agreed on.
    static func lines(on facts: TLSFacts) -> String {
        let parts = [facts.version?.description, facts.cipherSuite?.description, facts.applicationProtocol]
        return Self.text([parts.compactMap(\.self).joined(separator: ", ")])
    }

    /// The names are the server's to choose.
    private static func text(_ lines: [String]) -> String {
        lines.map { "* \(TerminalText.harmless($0))\n" }.joined()
    }
}
