// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests

extension DownloadDecision {
    private enum Claim {
        case whole
        /// The content may be a part of the representation, or `Content-Range` and `Content-Length` do not agree.
        case part
        case unreadable

        /// A `Content-Range` from the first to the last byte agrees with the status; so does `*/N` with a `Content-Length` of N.
        init(_ fields: HTTPFields) {
            let byteCount = Representation.contentLength(fields)
            switch ContentRange(fields) {
            case .part(let range, let completeLength?):
                let isWhole = range == 0..<completeLength && byteCount ?? completeLength == completeLength
                self = isWhole ? .whole : .part
            case .part(_, nil): self = .part
            case .unsatisfied(let completeLength): self = byteCount == completeLength ? .whole : .part
            case nil: self = fields.contains(.contentRange) ? .unreadable : .whole
            }
        }
    }

    /// Decides about a 200 or 203, whose fields must agree with the status: some servers answer a request for a range with 200,
    /// `Content-Range` and only that range, which is then used like a 206, as curl and Wget do.
    static func successful(
        _ request: PartRequest,
        _ status: Int,
        _ fields: HTTPFields,
        _ known: Representation?,
        _ present: ByteRangeSet,
        _ now: HTTPDate
    ) -> DownloadDecision {
        let claim = Claim(fields)
        guard let first = request.first else {
            // Without `Range` in the request, a field that cannot be read does not matter.
            if claim == .part { return .refuse(.wholeWithRange) }
            return .whole(Representation(status: status, fields, now: now), because: nil)
        }
        let byteCount = Representation.contentLength(fields)
        guard let validator = request.validator else {
            // Without `Content-Range`, content of exactly the requested length may be the requested range.
            if claim == .whole, fields.contains(.contentRange) || byteCount != request.end {
                return .whole(Representation(status: status, fields, now: now), because: nil)
            }
            return status == 200 && byteCount != nil ? Self.beginning(to: request.end, fields, now) : .undivided
        }
        if claim == .whole {
            return Self.whole(Representation(status: status, fields, now: now), fields, known, present, now)
        }
        // Unlike a 206, such a response must state everything: both lengths and the validator.
        guard status == 200, let known, byteCount != nil, case .part(_, _?)? = ContentRange(fields),
            fields.contains(validator.entityTag == nil ? .lastModified : .eTag)
        else { return .restart(.violation(.wholeWithRange)) }
        do throws(RestartReason) {
            return try Self.part(from: first, to: request.end, fields, known, present, now)
        } catch {
            return .restart(error)
        }
    }

    /// Decides about the whole representation in answer to a request for a range; without the same validator, it must have the
    /// known length, because a shorter content may be the requested range.
    private static func whole(
        _ new: Representation,
        _ fields: HTTPFields,
        _ known: Representation?,
        _ present: ByteRangeSet,
        _ now: HTTPDate
    ) -> DownloadDecision {
        if let change = known?.validator?.change(in: fields, now: now) {
            return .whole(new, because: .resourceChanged(change))
        }
        guard let byteCount = new.completeLength else {
            // The end of the body shows whether it is the whole, so no record may claim its bytes before.
            let expected = Representation.isCoded(fields) ? nil : known?.completeLength
            return .whole(expected.map { new.unconfirmed(of: $0) } ?? new, because: .rangeIgnored)
        }
        if byteCount < known?.completeLength ?? present.end { return .restart(.resourceChanged(.completeLength)) }
        let isOther = known?.completeLength.map { $0 != byteCount } ?? false
        return .whole(new, because: isOther ? .resourceChanged(.completeLength) : .rangeIgnored)
    }
}
