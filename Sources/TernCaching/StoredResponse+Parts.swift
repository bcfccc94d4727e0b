// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests

extension StoredResponse {
    /// Whether a range of the stored body has the same bytes as the same range of the body on the server.
    ///
    /// With a content coding, the bytes differ: the cache stores decoded content, but a range counts the bytes of the
    /// coded content (RFC 9110 §14.1.2).
    package var hasParts: Bool { self.statusCode == 200 && !self.fields.contains(.contentEncoding) }

    /// Returns whether the condition in `If-Range` is true for this response (RFC 9110 §13.1.5).
    ///
    /// "A client MUST NOT generate an If-Range header field containing an entity tag that is marked as weak". So entity
    /// tags are compared strongly. A date must be a strong validator, and must "exactly match" the `Last-Modified`.
    ///
    /// - Parameter condition: The value of `If-Range`.
    /// - Returns: Whether the cache may answer with a part of this response.
    package func isNamed(byIfRange condition: String) -> Bool {
        if condition.hasPrefix("\"") || condition.hasPrefix("W/") {
            return !condition.hasPrefix("W/") && condition == self.entityTag
        }
        let now = HTTPDate(secondsSince1970: self.responseTime)
        guard self.hasStrongDate, let date = HTTPDate(condition, now: now) else { return false }
        return date == self.lastModified.flatMap { HTTPDate($0, now: now) }
    }

    /// Returns the head for a 206 response with one part of this response's body.
    ///
    /// "If a single part is being transferred, the server generating the 206 response MUST generate a Content-Range
    /// header field, describing what range of the selected representation is enclosed" (RFC 9110 §15.3.7.1).
    ///
    /// - Parameters:
    ///   - bounds: The positions of the part's bytes in the body.
    ///   - byteCount: The length of the whole body.
    /// - Returns: A head with the status 206, a `Content-Range` and the other fields of this response.
    package func part(_ bounds: Range<Int64>, of byteCount: Int64) -> StoredResponse {
        var part = self
        part.statusCode = 206
        part.reasonPhrase = "Partial Content"
        part.fields[.contentLength] = "\(bounds.upperBound - bounds.lowerBound)"
        part.fields[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(byteCount)"
        return part
    }
}
