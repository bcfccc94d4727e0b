// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests

package struct Representation: Hashable, Sendable {
    /// The strong validator, without which the download cannot be continued.
    package let validator: ResourceValidator?
    package let absence: ResourceValidator.Absence?
    package var completeLength: Int64?
    package let mediaType: String?
    package var digest: TransferDigest?

    /// The fields are those before the client decodes the content; `now` decides the century of a date with a year of two digits.
    package init(status: Int, _ fields: HTTPFields, now: HTTPDate) {
        let isCoded = Self.isCoded(fields)
        self.mediaType = fields[.contentType]
        self.completeLength = isCoded ? nil : Self.contentLength(fields) ?? Self.wholeRangeLength(fields)
        self.digest = isCoded ? nil : TransferDigest(fields, isWhole: true)
        do throws(ResourceValidator.Absence) {
            self.validator = try Self.validator(status, fields, isCoded: isCoded, now)
            self.absence = nil
        } catch {
            self.validator = nil
            self.absence = error
        }
    }

    init(beginningOf completeLength: Int64, _ fields: HTTPFields, now: HTTPDate) {
        self.mediaType = fields[.contentType]
        self.completeLength = completeLength
        self.digest = TransferDigest(fields, isWhole: false)
        do throws(ResourceValidator.Absence) {
            self.validator = try ResourceValidator(fields, now: now)
            self.absence = nil
        } catch {
            self.validator = nil
            self.absence = error
        }
    }

    package init(_ record: DownloadRecord) {
        self.validator = record.validator
        self.absence = nil
        self.completeLength = record.completeLength
        self.mediaType = record.mediaType
        self.digest = record.digest
    }

    /// Creates the properties of a representation whose response does not state its length.
    private init(_ other: Representation, expecting completeLength: Int64) {
        self.validator = nil
        self.absence = other.absence ?? .rangesRefused
        self.completeLength = completeLength
        self.mediaType = other.mediaType
        self.digest = other.digest
    }

    /// Returns these properties without a validator, because only the end of the content shows its length.
    func unconfirmed(of completeLength: Int64) -> Representation { Representation(self, expecting: completeLength) }

    private static func validator(
        _ status: Int,
        _ fields: HTTPFields,
        isCoded: Bool,
        _ now: HTTPDate
    ) throws(ResourceValidator.Absence) -> ResourceValidator {
        if isCoded { throw .contentCoded }
        if status == 203 { throw .transformed }
        // "A server that does not support any kind of range request for the target resource MAY send Accept-Ranges:
        // none to advise the client not to attempt a range request on the same request path" (RFC 9110 §14.3).
        if fields[.acceptRanges]?.lowercased() == "none" { throw .rangesRefused }
        return try ResourceValidator(fields, now: now)
    }

    static func isCoded(_ fields: HTTPFields) -> Bool {
        fields[values: .contentEncoding].flatMap { $0.split(separator: ",") }.contains { coding in
            let name = coding.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return !name.isEmpty && name.lowercased() != "identity"
        }
    }

    private static func wholeRangeLength(_ fields: HTTPFields) -> Int64? {
        guard case .part(let range, let completeLength?)? = ContentRange(fields) else { return nil }
        return range == 0..<completeLength ? completeLength : nil
    }

    /// Returns `nil` if there is no `Content-Length`, or if it is not exactly one number.
    static func contentLength(_ fields: HTTPFields) -> Int64? {
        let values = fields[values: .contentLength]
        guard values.count == 1, !values[0].isEmpty, values[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        return Int64(values[0])
    }
}
