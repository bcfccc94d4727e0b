// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernErrors
import TernFoundation

/// The trusted certificates, at which a path may end: the content of `TrustPolicy.Roots` after reading.
enum TrustAnchors: Sendable {
    case unverified
    case certificates(AnchorStore)
    case system(SystemTrust)

    init(_ roots: TrustPolicy.Roots) throws(TLSFailure) {
        switch roots {
        case .unverified: self = .unverified
        case .only(let sources): self = .certificates(AnchorStore(try CertificateReader.certificates(in: sources)))
        case .system: self = .system(SystemTrust(adding: []))
        case .systemAdding(let sources):
            let certificates = sources.isEmpty ? [] : try CertificateReader.certificates(in: sources)
            self = .system(SystemTrust(adding: certificates))
        }
    }
}

enum CertificateReader {
    /// Reads at least one certificate, and leaves none out silently: throws if one is malformed, or a source contains none.
    static func certificates(in sources: [CertificateSource]) throws(TLSFailure) -> [ParsedCertificate] {
        guard !sources.isEmpty else { throw .configuration("the list of root certificates is empty") }
        var certificates: [ParsedCertificate] = []
        for source in sources { certificates += try self.certificates(in: source) }
        return certificates
    }

    private static func certificates(in source: CertificateSource) throws(TLSFailure) -> [ParsedCertificate] {
        switch source {
        case .der(let bytes):
            return [try self.certificate(bytes, in: "the certificate in DER form")]
        case .pem(let text):
            return try self.certificates(pem: Array(text.utf8), in: "the text in PEM form")
        case .pemFile(let path):
            guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                throw .configuration("the file \(path) cannot be read")
            }
            return try self.certificates(pem: [UInt8](data), in: "the file \(path)")
        }
    }

    private static func certificates(pem text: [UInt8], in place: String) throws(TLSFailure) -> [ParsedCertificate] {
        let found = PEMText.certificates(in: text)
        guard !found.isEmpty else { throw .configuration("\(place) contains no certificate") }
        var certificates: [ParsedCertificate] = []
        for bytes in found { certificates.append(try self.certificate(bytes, in: place)) }
        return certificates
    }

    private static func certificate(_ bytes: [UInt8], in place: String) throws(TLSFailure) -> ParsedCertificate {
        do throws(CertificateParsingError) {
            return try ParsedCertificate(bytes)
        } catch {
            throw .configuration("a certificate \(error.reason); check \(place)")
        }
    }
}

/// Finds certificates in a text (RFC 7468 §5), as bytes, because a call may wait for more than a hundred roots.
enum PEMText {
    private static let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
    private static let end = Array("-----END CERTIFICATE-----".utf8)

    /// Returns the DER form of each certificate; empty bytes for one that is not valid base64 or was cut off.
    ///
    /// Ignores white space and line endings (RFC 7468 §2), and the text between certificates.
    ///
    /// - Parameter text: The text in PEM form.
    /// - Returns: The certificates.
    static func certificates(in text: [UInt8]) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        var encoded: [UInt8] = []
        var isInside = false
        var rest = text[...]
        while !rest.isEmpty {
            let line = rest.prefix { !Self.isLineEnd($0) }
            rest = rest[line.endIndex...].dropFirst()
            if line.starts(with: self.begin) {
                // The previous certificate was cut off.
                if isInside { certificates.append([]) }
                encoded.removeAll(keepingCapacity: true)
                isInside = true
            } else if isInside, line.starts(with: self.end) {
                certificates.append(Self.decode(encoded) ?? [])
                isInside = false
            } else if isInside {
                encoded += line
            }
        }
        // A certificate without an end was cut off. It must not be ignored silently.
        if isInside { certificates.append([]) }
        return certificates
    }

    /// Decodes base64, in which white space is allowed.
    private static func decode(_ text: [UInt8]) -> [UInt8]? {
        // Almost no file has white space within lines, so the text is searched for it only if it cannot be decoded.
        let data = Data(base64Encoded: Data(text)) ?? Data(base64Encoded: Data(text.filter { !Self.isBlank($0) }))
        return data.map { [UInt8]($0) }
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    /// Space, tab, vertical tab or form feed (`W`, RFC 7468 §3).
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C }
}
