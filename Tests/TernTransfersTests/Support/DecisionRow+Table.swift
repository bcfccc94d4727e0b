// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

/// A response, and its meaning for a file with the first 400 bytes.
struct DecisionRow: CustomTestStringConvertible, Sendable {
    let name: String
    let status: Int
    let fields: HTTPFields
    let decision: DownloadDecision
    /// The complete length, as far as it is known.
    let length: Int64?
    let validators: HTTPFields
    let request: (first: Int64, end: Int64?)?

    init(
        _ name: String,
        _ status: Int,
        _ fields: HTTPFields,
        _ decision: DownloadDecision,
        of length: Int64? = 1000,
        by validators: HTTPFields = Samples.tagged,
        request: (first: Int64, end: Int64?)? = (400, nil)
    ) {
        (self.name, self.status, self.fields, self.decision) = (name, status, fields, decision)
        (self.length, self.validators, self.request) = (length, validators, request)
    }

    var testDescription: String { "\(self.status): \(self.name)" }

    static let rest = "bytes 400-999/1000"
    static let good = DownloadDecision.part(400..<1000, completeLength: 1000, digest: nil)

    static func piece(of length: Int64?) -> DownloadDecision { .part(400..<500, completeLength: length, digest: nil) }

    static func violation(_ violation: RangeViolation) -> DownloadDecision { .restart(.violation(violation)) }

    static func changed(_ change: ResourceChange) -> DownloadDecision { .restart(.resourceChanged(change)) }

    static let parts = [
        DecisionRow("the rest", 206, Samples.part(rest), good),
        DecisionRow("with its length", 206, Samples.part(rest, [.contentLength: "600"]), good),
        DecisionRow("identity", 206, Samples.part(rest, [.contentEncoding: "Identity"]), good),
        DecisionRow("no date", 206, [.eTag: "\"v1\"", .contentRange: rest], good),
        DecisionRow("less than asked for", 206, Samples.part("bytes 400-499/1000"), piece(of: 1000)),
        DecisionRow(
            "length unknown to the server",
            206,
            Samples.part("bytes 400-999/*"),
            .part(400..<1000, completeLength: nil, digest: nil)
        ),
        DecisionRow("length news", 206, Samples.part(rest), good, of: nil),
        DecisionRow("length never known", 206, Samples.part("bytes 400-499/*"), piece(of: nil), of: nil),
        DecisionRow("a gap", 206, Samples.part("bytes 400-499/1000"), piece(of: 1000), request: (400, 500)),
        DecisionRow("by date", 206, Samples.part(rest, [:], Samples.dated), good, by: Samples.dated),
        DecisionRow("by date, not repeated", 206, [.contentRange: rest], good, by: Samples.dated),
        DecisionRow(
            "multipart",
            206,
            Samples.merged(Samples.tagged, [.contentType: "Multipart/ByteRanges; boundary=x"]),
            violation(.multipart)
        ),
        DecisionRow(
            "multipart, with a range",
            206,
            Samples.part(rest, [.contentType: "multipart/byteranges"]),
            violation(.multipart)
        ),
        DecisionRow(
            "multipart, in a list",
            206,
            Samples.part(rest, [.contentType: "text/plain, multipart/byteranges;boundary=a:b"]),
            violation(.multipart)
        ),
        DecisionRow("gzip", 206, Samples.part(rest, [.contentEncoding: "gzip"]), violation(.contentCoded)),
        DecisionRow(
            "two codings",
            206,
            Samples.part(rest, [.contentEncoding: "identity, br"]),
            violation(.contentCoded)
        ),
        DecisionRow("no range", 206, Samples.tagged, violation(.contentRangeMissing)),
        DecisionRow("malformed range", 206, Samples.part("bytes 400-999/600"), violation(.contentRangeMalformed)),
        DecisionRow("a range for 416", 206, Samples.part("bytes */1000"), violation(.contentRangeMalformed)),
        DecisionRow(
            "from the beginning",
            206,
            Samples.part("bytes 0-999/1000"),
            violation(.otherStart(requested: 400, received: 0))
        ),
        DecisionRow(
            "one byte late",
            206,
            Samples.part("bytes 401-999/1000"),
            violation(.otherStart(requested: 400, received: 401))
        ),
        DecisionRow(
            "one byte early",
            206,
            Samples.part("bytes 399-999/1000"),
            violation(.otherStart(requested: 400, received: 399))
        ),
        DecisionRow(
            "beyond the gap",
            206,
            Samples.part("bytes 400-500/1000"),
            violation(.otherEnd),
            request: (400, 500)
        ),
        DecisionRow("beyond the end", 206, Samples.part("bytes 400-1000/*"), violation(.otherEnd)),
        DecisionRow(
            "another content length",
            206,
            Samples.part(rest, [.contentLength: "601"]),
            violation(.contentLengthDiffers)
        ),
        DecisionRow("longer", 206, Samples.part("bytes 400-1000/1001"), changed(.completeLength)),
        DecisionRow("shorter", 206, Samples.part("bytes 400-998/999"), changed(.completeLength)),
        DecisionRow("another tag", 206, Samples.part(rest, [.eTag: "\"v2\""]), changed(.entityTag)),
        DecisionRow("the tag is weak", 206, Samples.part(rest, [.eTag: "W/\"v1\""]), changed(.entityTag)),
        DecisionRow("another date", 206, Samples.part(rest, [.lastModified: Samples.date]), changed(.lastModified)),
        DecisionRow("the tag is missing", 206, Samples.part(rest, [:], Samples.dated), violation(.entityTagMissing)),
        DecisionRow("a new tag", 206, Samples.part(rest), changed(.entityTag), by: Samples.dated),
        DecisionRow("not asked for", 206, Samples.part(rest), .refuse(.notRequested), request: nil),
    ]

    static let others = [
        DecisionRow("complete", 416, [.contentRange: "bytes */400"], .complete(400), of: nil),
        DecisionRow("complete, with the tag", 416, Samples.part("bytes */400"), .complete(400), of: nil),
        DecisionRow("another tag", 416, Samples.part("bytes */400", [.eTag: "\"v2\""]), changed(.entityTag), of: nil),
        DecisionRow("shorter than the file", 416, [.contentRange: "bytes */399"], changed(.completeLength), of: nil),
        DecisionRow("another length", 416, [.contentRange: "bytes */400"], changed(.completeLength)),
        DecisionRow("bytes are missing", 416, [.contentRange: "bytes */1000"], violation(.rangeRefused)),
        DecisionRow(
            "bytes are missing, length news",
            416,
            [.contentRange: "bytes */401"],
            violation(.rangeRefused),
            of: nil
        ),
        DecisionRow("no length", 416, Samples.tagged, .restart(.lengthUnknown)),
        DecisionRow("malformed", 416, [.contentRange: "bytes */*"], .restart(.lengthUnknown)),
        DecisionRow("a part", 416, [.contentRange: rest], .restart(.lengthUnknown)),
        DecisionRow("not asked for", 416, [.contentRange: "bytes */400"], .status(416, retryAfter: nil), request: nil),
        DecisionRow("a pause", 503, [.retryAfter: "7"], .status(503, retryAfter: .seconds(7))),
        DecisionRow(
            "a pause until a date",
            429,
            [
                .retryAfter: HTTPDate(secondsSince1970: 1_800_000_030).description,
                .date: HTTPDate(secondsSince1970: 1_800_000_010).description,
            ],
            .status(429, retryAfter: .seconds(20))
        ),
    ]
}
