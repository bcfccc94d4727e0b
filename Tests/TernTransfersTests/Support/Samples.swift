// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TernRetry
import TernTransfers
import TestSupport
import Testing

/// Values that several tests use.
enum Samples {
    static let now = HTTPDate(secondsSince1970: 1_800_000_000)
    static let date = now.description
    static let modified = HTTPDate(secondsSince1970: 1_700_000_000).description
    static let source = TransferResource(origin: "https://example.com:443", path: "/model.bin")
    static let fileName = ".model.bin.part"
    /// The validators of the resource that most tests download.
    static let tagged: HTTPFields = [.eTag: "\"v1\"", .lastModified: modified, .date: date]
    static let dated: HTTPFields = [.lastModified: modified, .date: date]

    static func validator(_ fields: HTTPFields = tagged) -> ResourceValidator {
        do {
            return try ResourceValidator(fields, now: self.now)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    static func record(
        _ ranges: ByteRangeSet = ByteRangeSet(0..<400),
        of length: Int64? = 1000,
        _ fields: HTTPFields = tagged,
        digest: TransferDigest? = nil,
        number: UInt64? = 7
    ) -> DownloadRecord {
        let record = DownloadRecord(
            fileName: self.fileName,
            source: self.source,
            creationDate: self.now,
            validator: self.validator(fields),
            completeLength: length,
            mediaType: "application/octet-stream",
            digest: digest,
            fileNumber: number,
            ranges: ranges
        )
        guard let record else { preconditionFailure("the record must be valid") }
        return record
    }

    /// The fields of a 206, with the validators of the resource.
    static func part(_ contentRange: String, _ more: HTTPFields = [:], _ validators: HTTPFields = tagged) -> HTTPFields
    {
        Self.merged(validators, [.contentRange: contentRange], more)
    }

    static func whole(_ length: Int?, _ validators: HTTPFields = tagged, _ more: HTTPFields = [:]) -> HTTPFields {
        Self.merged(validators, length.map { [.contentLength: String($0)] } ?? [:], more)
    }

    static func merged(_ all: HTTPFields...) -> HTTPFields {
        all.reduce(into: [:]) { merged, fields in
            for field in fields { merged[fields: field.name] = [field] }
        }
    }

    static let digest = Self.required(TransferDigest(.sha256, [UInt8](repeating: 0xAB, count: 32)))
    static let reset = ClientError.connectionLost(.reset, ClientError.Context(phase: .body))
    static let refused = ClientError.connectionFailed(.refused, ClientError.Context(phase: .connect))
    static let cancelled = ClientError.cancelled(ClientError.Context(phase: .body))

    static func required<Value>(_ value: Value?) -> Value {
        guard let value else { preconditionFailure("the value must be valid") }
        return value
    }
}
