// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import TernErrors
package import TernRequests
import TernRetry

/// The meaning of a response's head for a partial file.
///
/// Content is combined with the bytes on the disk only if both certainly belong to the same representation.
package enum DownloadDecision: Hashable, Sendable {
    /// The body counts as the whole representation; the reason, if any, tells why bytes of the file are dropped.
    case whole(Representation, because: RestartReason?)
    case part(Range<Int64>, completeLength: Int64?, digest: TransferDigest?)
    /// The body is the beginning of a representation whose rest can be requested in ranges; all present bytes are dropped.
    case beginning(Representation, Range<Int64>)
    /// The representation cannot be divided into ranges; request it without `Range`.
    case undivided
    case complete(Int64)
    case restart(RestartReason)
    case refuse(RangeViolation)
    /// The response has no part of the file.
    case status(Int, retryAfter: Duration?)

    package init(
        _ request: PartRequest,
        status: Int,
        _ fields: HTTPFields,
        known: Representation?,
        present: ByteRangeSet,
        now: HTTPDate
    ) {
        switch status {
        case 200, 203: self = Self.successful(request, status, fields, known, present, now)
        case 206 where request.isBeginning:
            self = Self.beginning(to: request.end, fields, now)
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
        case 416 where request.isBeginning:
            self = .undivided
        case 416 where request.first != nil:
            self = Self.unsatisfied(fields, known, present, now)
        default:
            let retryAfter = fields[.retryAfter].flatMap { RetryAfter($0, now: now) }
            let serverTime = fields[.date].flatMap { HTTPDate($0, now: now) } ?? now
            self = .status(status, retryAfter: retryAfter.map { $0.delay(from: serverTime) })
        }
    }

    // MARK: 206

    /// Decides about the answer to a request for the beginning: without a strong validator and the complete length, no other
    /// response could be combined with it.
    static func beginning(to end: Int64?, _ fields: HTTPFields, _ now: HTTPDate) -> DownloadDecision {
        guard let (range, completeLength) = try? Self.range(from: 0, fields), let completeLength,
            (try? Self.check(range, endsAt: end, fields)) != nil
        else { return .undivided }
        let representation = Representation(beginningOf: completeLength, fields, now: now)
        return representation.validator == nil ? .undivided : .beginning(representation, range)
    }

    private static func range(
        from first: Int64,
        _ fields: HTTPFields
    ) throws(RestartReason) -> (Range<Int64>, completeLength: Int64?) {
        // "A server MUST NOT generate a multipart response to a request for a single range" (RFC 9110 §15.3.7.2).
        if MediaType(of: fields)?.essence == "multipart/byteranges" { throw .violation(.multipart) }
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
        return (range, completeLength)
    }

    private static func check(
        _ range: Range<Int64>,
        endsAt end: Int64?,
        _ fields: HTTPFields
    ) throws(RestartReason) {
        guard range.upperBound <= end ?? .max else { throw .violation(.otherEnd) }
        let byteCount = range.upperBound - range.lowerBound
        guard Representation.contentLength(fields) ?? byteCount == byteCount else {
            throw .violation(.contentLengthDiffers)
        }
    }

    static func part(
        from first: Int64,
        to end: Int64?,
        _ fields: HTTPFields,
        _ known: Representation,
        _ present: ByteRangeSet,
        _ now: HTTPDate
    ) throws(RestartReason) -> DownloadDecision {
        let (range, completeLength) = try Self.range(from: first, fields)
        if let completeLength {
            guard completeLength == known.completeLength ?? completeLength, completeLength >= present.end else {
                throw .resourceChanged(.completeLength)
            }
        }
        try Self.check(range, endsAt: end ?? known.completeLength, fields)
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

    /// Decides about a 416 (RFC 9110 §15.5.17): all bytes are in the file already, or the representation has become shorter.
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
