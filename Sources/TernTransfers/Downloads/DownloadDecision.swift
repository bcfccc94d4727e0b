// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests
import TernRetry

/// The meaning of a response's head for a partial file.
///
/// The decision depends only on the initializer's arguments, so tests need no state machine. Content is combined with
/// the bytes on the disk only if both certainly belong to the same representation.
package enum DownloadDecision: Hashable, Sendable {
    /// The body is the whole representation. If bytes of the file are dropped for it, the reason says why.
    case whole(Representation, because: RestartReason?)
    /// The body is this range of the representation.
    case part(Range<Int64>, completeLength: Int64?, digest: TransferDigest?)
    /// The file already has all bytes of the representation; the value is their number.
    case complete(Int64)
    /// Request the whole representation.
    case restart(RestartReason)
    /// The response to a request for the whole representation breaks a rule.
    case refuse(RangeViolation)
    /// The response has no part of the file.
    case status(Int, retryAfter: Duration?)

    /// Decides about a response.
    ///
    /// - Parameters:
    ///   - request: The request that the response answers.
    ///   - status: The status of the response.
    ///   - fields: The fields of the response, before the client decodes its content.
    ///   - known: The properties of the representation that the file's bytes belong to; `nil` if no bytes of the file
    ///     count.
    ///   - present: The bytes of that representation that are in the file.
    ///   - now: The current time.
    package init(
        _ request: PartRequest,
        status: Int,
        _ fields: HTTPFields,
        known: Representation?,
        present: ByteRangeSet,
        now: HTTPDate
    ) {
        switch status {
        case 200, 203:
            let whole = Representation(status: status, fields, now: now)
            let reason = request.first.map { _ in Self.reason(for: whole, fields, known, now) }
            self = .whole(whole, because: reason)
        case 206:
            guard let first = request.first, let known else {
                self = .refuse(.notRequested)
                return
            }
            do throws(RestartReason) {
                self = try Self.part(from: first, to: request.end, fields, known, present, now)
            } catch {
                self = .restart(error)
            }
        case 416 where request.first != nil:
            self = Self.unsatisfied(fields, known, present, now)
        default:
            let retryAfter = fields[.retryAfter].flatMap { RetryAfter($0, now: now) }
            let serverTime = fields[.date].flatMap { HTTPDate($0, now: now) } ?? now
            self = .status(status, retryAfter: retryAfter.map { $0.delay(from: serverTime) })
        }
    }

    /// Returns why the server sent the whole representation in answer to a request for a range.
    private static func reason(
        for whole: Representation,
        _ fields: HTTPFields,
        _ known: Representation?,
        _ now: HTTPDate
    ) -> RestartReason {
        if let change = known?.validator?.change(in: fields, now: now) { return .resourceChanged(change) }
        if let old = known?.completeLength, let new = whole.completeLength, old != new {
            return .resourceChanged(.completeLength)
        }
        return .rangeIgnored
    }

    // MARK: 206

    private static func part(
        from first: Int64,
        to end: Int64?,
        _ fields: HTTPFields,
        _ known: Representation,
        _ present: ByteRangeSet,
        _ now: HTTPDate
    ) throws(RestartReason) -> DownloadDecision {
        // "A server MUST NOT generate a multipart response to a request for a single range" (RFC 9110 §15.3.7.2).
        if fields[.contentType]?.lowercased().hasPrefix("multipart/byteranges") == true {
            throw .violation(.multipart)
        }
        if Representation.isCoded(fields) { throw .violation(.contentCoded) }
        guard fields.contains(.contentRange) else { throw .violation(.contentRangeMissing) }
        guard case .part(let range, let completeLength)? = ContentRange(fields) else {
            throw .violation(.contentRangeMalformed)
        }
        // "A client MUST inspect a 206 response's Content-Type and Content-Range field(s) to determine what parts are
        // enclosed" (§15.3.7).
        guard range.lowerBound == first else {
            throw .violation(.otherStart(requested: first, received: range.lowerBound))
        }
        if let completeLength {
            guard completeLength == known.completeLength ?? completeLength, completeLength >= present.end else {
                throw .resourceChanged(.completeLength)
            }
        }
        guard range.upperBound <= end ?? known.completeLength ?? .max else { throw .violation(.otherEnd) }
        let byteCount = range.upperBound - range.lowerBound
        guard Representation.contentLength(fields) ?? byteCount == byteCount else {
            throw .violation(.contentLengthDiffers)
        }
        if let change = known.validator?.change(in: fields, now: now) { throw .resourceChanged(change) }
        // "A server that generates a 206 response MUST generate […] ETag", "if the field would have been sent in a 200
        // (OK) response to the same request" (§15.3.7). Without the tag, the server may have ignored `If-Range`.
        if known.validator?.entityTag != nil, !fields.contains(.eTag) { throw .violation(.entityTagMissing) }
        let digest = TransferDigest(fields, isWhole: false)
        if let digest, let old = known.digest, old.source == .server, old.algorithm == digest.algorithm, old != digest {
            throw .resourceChanged(.digest)
        }
        return .part(range, completeLength: completeLength, digest: digest)
    }

    // MARK: 416

    /// Decides about a 416: the representation has no bytes in the requested range (RFC 9110 §15.5.17).
    ///
    /// This happens if all bytes are in the file already, or if the representation has become shorter.
    private static func unsatisfied(
        _ fields: HTTPFields,
        _ known: Representation?,
        _ present: ByteRangeSet,
        _ now: HTTPDate
    ) -> DownloadDecision {
        if let change = known?.validator?.change(in: fields, now: now) { return .restart(.resourceChanged(change)) }
        guard case .unsatisfied(let length)? = ContentRange(fields) else { return .restart(.lengthUnknown) }
        guard length == known?.completeLength ?? length, length >= present.end else {
            return .restart(.resourceChanged(.completeLength))
        }
        return present.contains(0..<length) ? .complete(length) : .restart(.violation(.rangeRefused))
    }
}
