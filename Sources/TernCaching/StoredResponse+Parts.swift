// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests

extension StoredResponse {
    /// Whether a range of the stored body has the same bytes on the server; not with a content coding, because the server counts
    /// the bytes of the coded content (RFC 9110 §14.1.2).
    package var hasParts: Bool { self.statusCode == 200 && !self.fields.contains(.contentEncoding) }

    /// Returns whether the condition in `If-Range` is true: a strong entity tag, or a date that is a strong validator and must
    /// "exactly match" the `Last-Modified` (RFC 9110 §13.1.5).
    package func isNamed(byIfRange condition: String) -> Bool {
        if condition.hasPrefix("\"") || condition.hasPrefix("W/") {
            return !condition.hasPrefix("W/") && condition == self.entityTag
        }
        let now = HTTPDate(secondsSince1970: self.responseTime)
        guard self.hasStrongDate, let date = HTTPDate(condition, now: now) else { return false }
        return date == self.lastModified.flatMap { HTTPDate($0, now: now) }
    }

    /// Returns a head with the status 206, a `Content-Range` (RFC 9110 §15.3.7.1) and the other fields of this response.
    package func part(_ bounds: Range<Int64>, of byteCount: Int64) -> StoredResponse {
        var part = self
        part.statusCode = 206
        part.reasonPhrase = "Partial Content"
        part.fields[.contentLength] = "\(bounds.upperBound - bounds.lowerBound)"
        part.fields[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(byteCount)"
        return part
    }
}
