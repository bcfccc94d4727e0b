// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

@Suite("UploadRecord")
struct UploadRecordTests {
    private static let full = UploadSamples.record(
        url: UploadSamples.elsewhere,
        digest: Samples.digest,
        expires: HTTPDate(secondsSince1970: 1_800_003_600),
        limits: UploadLimits(
            maximumByteCount: 4000,
            minimumByteCount: 1,
            maximumPartByteCount: 500,
            minimumPartByteCount: 10
        ),
        mayBeComplete: true
    )
    private static let records = [
        full,
        UploadSamples.record(.draft(.six), acknowledged: 0),
        UploadSamples.record(.tus, file: UploadSamples.identity(0, modified: -1), acknowledged: 0),
        UploadSamples.record(
            file: UploadSamples.identity(.max, modified: .min, number: .max, device: .max),
            acknowledged: .max
        ),
    ]

    private static func decoded(_ bytes: [UInt8]) -> Result<UploadRecord, RecordProblem> {
        Result { () throws(RecordProblem) in try UploadRecord(decoding: bytes) }
    }

    /// Returns content with the first line that belongs to it.
    private static func sealed(_ content: String, version: String = "1") -> [UInt8] {
        let digest = SHA256.hash(data: Array(content.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            .joined()
        return Array("tern-upload \(version) sha256:\(digest)\n\(content)".utf8)
    }

    private static var content: String {
        String(decoding: self.full.encoded.drop { $0 != UInt8(ascii: "\n") }.dropFirst(), as: UTF8.self)
    }

    @Test(arguments: records)
    func `a record is the same after encoding and decoding`(_ record: UploadRecord) {
        #expect(Self.decoded(record.encoded) == .success(record))
        #expect(record.encoded == record.encoded)
        #expect(record.encoded.count < 1000)
    }

    /// Files of this format are on the disks of people, so the bytes must never change within a version.
    @Test func `the format is fixed`() {
        let ab = String(repeating: "ab", count: 32)
        #expect(
            Self.content == """
                {"acknowledged":400,"completing":true,"created":1800000000,"digest":{"algorithm":"sha-256",\
                "hex":"\(ab)","source":"caller"},"expires":1800003600,"file":{"device":3,"length":1000,\
                "modified":1700000000123456789,"number":7},"limits":{"append":500,"minappend":10,"minsize":1,\
                "size":4000},"origin":"https://example.com:443","path":"/files","protocol":"draft-8",\
                "url":"https://storage.example.net/u/1?sig=x"}
                """
        )
        #expect(Self.full.encoded == Self.sealed(Self.content))
    }

    // MARK: Damage

    @Test(arguments: [full, records[1]])
    func `every flipped bit and every other byte is noticed`(_ record: UploadRecord) {
        let bytes = record.encoded
        for index in bytes.indices {
            for mask in [1, 2, 4, 8, 16, 32, 64, 128, 255] as [UInt8] {
                var changed = bytes
                changed[index] ^= mask
                guard case .success = Self.decoded(changed) else { continue }
                Issue.record("byte \(index) with mask \(mask) goes unnoticed")
            }
        }
    }

    @Test(arguments: [full, records[1]])
    func `every truncation and every added byte is noticed`(_ record: UploadRecord) {
        let bytes = record.encoded
        for count in 0..<bytes.count {
            #expect(throws: RecordProblem.self) { try UploadRecord(decoding: Array(bytes.prefix(count))) }
            #expect(throws: RecordProblem.self) { try UploadRecord(decoding: Array(bytes.dropFirst(count + 1))) }
        }
        for byte in [0, 0x0A, 0x20, 0x7D] as [UInt8] {
            #expect(Self.decoded(bytes + [byte]) == .failure(.damaged))
            #expect(throws: RecordProblem.self) { try UploadRecord(decoding: [byte] + bytes) }
        }
    }

    @Test func `a record of a download is not a record of an upload`() {
        #expect(Self.decoded(Samples.record().encoded) == .failure(.unreadable))
        #expect(throws: RecordProblem.unreadable) { try DownloadRecord(decoding: Self.full.encoded) }
    }

    @Test(
        arguments: [
            ("", .unreadable), ("tern-upload", .unreadable), ("tern-upload 1\n{}", .unreadable),
            ("tern-upload 2 anything else\nmore", .newerVersion(2)), ("tern-upload 1 sha256:00\n{}", .damaged),
        ] as [(String, RecordProblem)]
    )
    func `bytes that are not a record have a reason`(_ text: String, _ problem: RecordProblem) {
        #expect(Self.decoded(Array(text.utf8)) == .failure(problem))
    }

    // MARK: Content that was written by another program

    @Test(
        arguments: [
            ("\"acknowledged\":400", "\"acknowledged\":1001"), ("\"acknowledged\":400", "\"acknowledged\":-1"),
            ("\"length\":1000", "\"length\":399"), ("\"length\":1000", "\"length\":-1"),
            ("\"append\":500", "\"append\":-1"), ("draft-8", "draft-7"), ("draft-8", "tus-2.0.0"),
            ("https://storage.example.net/u/1?sig=x", "/u/1"),
            ("https://storage.example.net/u/1?sig=x", "ftp://storage.example.net/u/1"),
            ("https://storage.example.net/u/1?sig=x", "https://storage.example.net/u 1"),
            ("https://storage.example.net/u/1?sig=x", "https://"), ("sha-256", "md5"), ("caller", "other"),
            ("\"number\":7", "\"number\":-7"), ("\"completing\":true", "\"completing\":1"),
            ("\"completing\":true,", ""), ("\"protocol\":\"draft-8\",", ""), ("{\"ack", "{ \"ack"),
            ("\"limits\":{\"append\":500,\"minappend\":10,\"minsize\":1,\"size\":4000}", "\"limits\":{}"),
            ("{\"acknowledged\"", "{\"a\":1,\"acknowledged\""), ("https://", "https:\\/\\/"),
        ]
    )
    func `content that is not in the format is refused, even with the right digest`(_ old: String, _ new: String) {
        let content = Self.content.replacing(old, with: new)
        #expect(content != Self.content)
        #expect(Self.decoded(Self.sealed(content)) == .failure(.invalid))
    }

    // MARK: Limits

    @Test func `the longest record fits`() throws {
        let start = "https://example.com/"
        let text = start + String(repeating: "a", count: UploadURL.maximumByteCount - start.utf8.count)
        let limits = UploadLimits(
            maximumByteCount: .max,
            minimumByteCount: .max,
            maximumPartByteCount: .max,
            minimumPartByteCount: .max
        )
        let url = try #require(UploadURL(text))
        let record = try #require(
            UploadRecord(
                .tus,
                url: url,
                resource: TransferResource(
                    origin: String(repeating: "\u{1}", count: 9999),
                    path: String(repeating: "\u{1}", count: 9999)
                ),
                file: UploadSamples.identity(.max, modified: .min, number: .max, device: .max),
                digest: TransferDigest(.sha512, [UInt8](repeating: 0, count: 64)),
                creationDate: HTTPDate(secondsSince1970: .min),
                expirationDate: HTTPDate(secondsSince1970: .min),
                limits: limits,
                acknowledgedByteCount: .max
            )
        )
        #expect(record.encoded.count <= RecordProblem.maximumByteCount)
        #expect(try UploadRecord(decoding: record.encoded) == record)
        #expect(UploadURL(text + "a") == nil)
        #expect(Self.decoded(record.encoded + [UInt8](repeating: 0x20, count: 64 << 10)) == .failure(.tooLong))
    }

    @Test func `a record has the origin and the path of the resource, and none of its secrets`() {
        #expect(Self.full.resource == TransferResource(origin: "https://example.com:443", path: "/files"))
        #expect(!Self.content.contains("secret"))
    }
}
