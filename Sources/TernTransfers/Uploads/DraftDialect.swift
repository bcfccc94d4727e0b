// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import TernDigests
package import TernRequests

/// The fields of "Resumable Uploads for HTTP" (draft-ietf-httpbis-resumable-upload), in one of its interop versions.
///
/// The section numbers in the comments are those of draft -11, which has version 8.
package struct DraftDialect: UploadDialect {
    static let mediaType = "application/partial-upload"

    package let version: UploadProtocol.InteropVersion

    package init(_ version: UploadProtocol.InteropVersion) { self.version = version }

    // "Note that the length and offset values do not determine whether an upload is complete" (§4.1.3).
    package var completesExplicitly: Bool { true }

    package var creationMethod: HTTPRequest.Method? { nil }

    // A server that cannot resume uploads processes the request like any other.
    package var mayRepeatCreation: Bool { false }

    package var sendsDigest: Bool { true }

    // MARK: Requests

    // "Client implementations of draft versions of the protocol MUST send a header field Upload-Draft-Interop-Version
    // with the interop version as its value to its requests" (Appendix B).
    package var fields: HTTPFields { [.uploadDraftInteropVersion: String(self.version.rawValue)] }

    package func creationFields(_ body: Range<Int64>, _ configuration: UploadConfiguration) -> HTTPFields {
        var fields = self.fields
        let length = configuration.file.byteCount
        // "The Upload-Complete header field is set to true if the request content includes the entire representation
        // data that the client intends to upload" (§4.2.1).
        fields[.uploadComplete] = Self.text(body.upperBound == length)
        // "If the client knows the representation data's length, it SHOULD indicate the length in the request"
        // (§4.2.1).
        fields[.uploadLength] = String(length)
        // "If the client knows the integrity digest of the entire representation data before creating an upload
        // resource, it can include the Repr-Digest header field when creating an upload" (§10.1).
        if let digest = configuration.digest {
            fields[.reprDigest] = DigestField([digest.algorithm: digest.value]).text
        }
        return fields
    }

    package func appendFields(_ body: Range<Int64>, completes: Bool) -> HTTPFields {
        var fields = self.fields
        fields[.contentType] = Self.mediaType
        // "The client MUST indicate the offset of the request content inside the representation data by including the
        // Upload-Offset header field. […] The request MUST include the Upload-Complete header field" (§4.4.1).
        fields[.uploadOffset] = String(body.lowerBound)
        fields[.uploadComplete] = Self.text(completes)
        return fields
    }

    private static func text(_ value: Bool) -> String { value ? "?1" : "?0" }

    // MARK: Responses

    /// "Client implementations of draft versions of the protocol MUST ignore a 104 (Upload Resumption Supported) interim response
    /// with missing or mismatching interop version" (Appendix B).
    package func accepts(_ notice: UploadNotice) -> Bool {
        notice.status == 104 && self.interopVersion(notice.fields) == Int64(self.version.rawValue)
    }

    /// Only a 104 must have the version, but a response of another version does not count.
    func isUsable(_ fields: HTTPFields) -> Bool {
        !fields.contains(.uploadDraftInteropVersion) || self.interopVersion(fields) == Int64(self.version.rawValue)
    }

    private func interopVersion(_ fields: HTTPFields) -> Int64? {
        StructuredFieldItem(.uploadDraftInteropVersion, in: fields)?.integer
    }

    /// Returns a number; "Other values MUST cause the entire header field to be ignored" (§4.1.1).
    func byteCount(_ name: HTTPField.Name, _ fields: HTTPFields) -> Int64? {
        guard let value = StructuredFieldItem(name, in: fields)?.integer, value >= 0 else { return nil }
        return value
    }

    /// Returns `nil` if the response does not say whether the upload is complete.
    func isComplete(_ fields: HTTPFields) -> Bool? {
        if let value = StructuredFieldItem(.uploadComplete, in: fields)?.boolean { return value }
        // swift-nio-extras 1.35 sends the field of earlier versions in the answer of the resource.
        guard self.version == .six, !fields.contains(.uploadComplete) else { return nil }
        return StructuredFieldItem(.uploadIncomplete, in: fields)?.boolean.map { !$0 }
    }

    package func report(_ fields: HTTPFields, now: HTTPDate) -> UploadReport {
        var report = UploadReport()
        guard self.isUsable(fields) else { return report }
        report.offset = self.byteCount(.uploadOffset, fields)
        guard let members = StructuredFieldDictionary(.uploadLimit, in: fields)?.members else {
            return report
        }
        // Version 6 calls the lifetime `expires`.
        let lifetime = self.version == .six ? "expires" : "max-age"
        var values: [String: Int64] = [:]
        for key in ["max-size", "min-size", "max-append-size", "min-append-size", lifetime] {
            guard let member = members[key] else { continue }
            // "A member with a known key but a value of unexpected type MUST cause the entire Upload-Limit header field
            // to be ignored" (§4.1.4).
            guard let value = member?.integer, value >= 0 else { return report }
            values[key] = value
        }
        report.limits = UploadLimits(
            maximumByteCount: values["max-size"],
            minimumByteCount: values["min-size"],
            maximumPartByteCount: values["max-append-size"],
            minimumPartByteCount: values["min-append-size"]
        )
        report.expirationDate = values[lifetime].map {
            let (seconds, overflows) = now.secondsSince1970.addingReportingOverflow($0)
            return HTTPDate(secondsSince1970: overflows ? .max : seconds)
        }
        return report
    }
}
