// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import TernDigests
package import TernRequests

/// The fields of tus 1.0.0, with its extensions Creation, Creation With Upload, Expiration, Checksum and Termination.
package struct TusDialect: UploadDialect {
    static let mediaType = "application/offset+octet-stream"

    package init() {}

    package var completesExplicitly: Bool { false }

    // "The Client MUST send a POST request against a known upload creation URL to request a new upload resource."
    package var creationMethod: HTTPRequest.Method? { .post }

    package var mayRepeatCreation: Bool { true }

    // The extension Checksum has a hash of each part instead.
    package var sendsDigest: Bool { false }

    // MARK: Requests

    // "The Tus-Resumable header MUST be included in every request and response except for OPTIONS requests."
    package var fields: HTTPFields { [.tusResumable: UploadProtocol.tusVersion] }

    package func creationFields(_ body: Range<Int64>, _ configuration: UploadConfiguration) -> HTTPFields {
        var fields = self.fields
        fields[.uploadLength] = String(configuration.file.byteCount)
        if !configuration.tus.metadata.isEmpty {
            fields[.uploadMetadata] = Self.text(configuration.tus.metadata)
        }
        // "The Client MUST include the Content-Type: application/offset+octet-stream header" with content.
        if !body.isEmpty { fields[.contentType] = Self.mediaType }
        return fields
    }

    package func appendFields(_ body: Range<Int64>, completes: Bool) -> HTTPFields {
        var fields = self.fields
        // "All PATCH requests MUST use Content-Type: application/offset+octet-stream".
        fields[.contentType] = Self.mediaType
        fields[.uploadOffset] = String(body.lowerBound)
        return fields
    }

    /// Returns "comma-separated key-value pairs": each a key, a space, and the value in Base64.
    private static func text(_ metadata: [TusOptions.Metadata]) -> String {
        metadata.indices.filter { index in
            !metadata[(index + 1)...].contains { $0.key == metadata[index].key }
        }.map { index in
            let pair = metadata[index]
            return pair.value.isEmpty ? pair.key : "\(pair.key) \(Base64.encoded(pair.value))"
        }.joined(separator: ",")
    }

    // MARK: Responses

    package func accepts(_ notice: UploadNotice) -> Bool { false }

    func isUsable(_ fields: HTTPFields) -> Bool { fields[values: .tusResumable] == [UploadProtocol.tusVersion] }

    /// The field is "a non-negative integer".
    func byteCount(_ name: HTTPField.Name, _ fields: HTTPFields) -> Int64? {
        let values = fields[values: name]
        guard values.count == 1, !values[0].isEmpty, values[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        return Int64(values[0])
    }

    package func report(_ fields: HTTPFields, now: HTTPDate) -> UploadReport {
        var report = UploadReport()
        guard self.isUsable(fields) else { return report }
        report.offset = self.byteCount(.uploadOffset, fields)
        report.limits.maximumByteCount = self.byteCount(.tusMaxSize, fields)
        // "The value of the Upload-Expires header MUST be in RFC 9110 datetime format."
        report.expirationDate = fields[.uploadExpires].flatMap { HTTPDate($0, now: now) }
        return report
    }
}
