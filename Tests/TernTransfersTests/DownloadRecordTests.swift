// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPTypes
import TernFoundation
import TernRequests
import TernTransfers
import Testing

@Suite("DownloadRecord")
struct DownloadRecordTests {
    private static let full = Samples.record(
        ByteRangeSet(normalized: [0..<400, 500..<900]) ?? ByteRangeSet(),
        digest: Samples.digest
    )
    private static let records = [
        full,
        Samples.record(ByteRangeSet(), of: nil, number: nil),
        Samples.record(ByteRangeSet(0..<(.max)), of: .max, Samples.dated, number: .max),
        Samples.record(of: 400, [.eTag: "\"\\/'~\""]),
    ]

    private static func decoded(_ bytes: [UInt8]) -> Result<DownloadRecord, DownloadRecord.Problem> {
        Result { () throws(DownloadRecord.Problem) in try DownloadRecord(decoding: bytes) }
    }

    /// Returns content with the first line that belongs to it.
    private static func sealed(_ content: String, version: String = "1") -> [UInt8] {
        let digest = SHA256.hash(data: Array(content.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            .joined()
        return Array("tern-download \(version) sha256:\(digest)\n\(content)".utf8)
    }

    private static var content: String {
        String(decoding: self.full.encoded.drop { $0 != UInt8(ascii: "\n") }.dropFirst(), as: UTF8.self)
    }

    @Test(arguments: records)
    func `a record is the same after encoding and decoding`(_ record: DownloadRecord) {
        #expect(Self.decoded(record.encoded) == .success(record))
        #expect(record.encoded == record.encoded)
        #expect(record.encoded.count < 1000)
    }

    /// Files of this format are on the disks of people, so the bytes must never change within a version.
    @Test func `the format is fixed`() {
        let ab = String(repeating: "ab", count: 32)
        #expect(
            Self.content == """
                {"created":1800000000,"date":1800000000,"digest":{"algorithm":"sha-256","hex":"\(ab)","source":"caller"},\
                "etag":"\\"v1\\"","file":".model.bin.part","length":1000,"media":"application/octet-stream",\
                "modified":1700000000,"number":7,"origin":"https://example.com:443","path":"/model.bin",\
                "ranges":[[0,400],[500,900]]}
                """
        )
        #expect(Self.full.encoded == Self.sealed(Self.content))
    }

    // MARK: Damage

    @Test(arguments: [full, records[2]])
    func `every flipped bit and every other byte is noticed`(_ record: DownloadRecord) {
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

    @Test(arguments: [full, records[2]])
    func `every truncation and every added byte is noticed`(_ record: DownloadRecord) {
        let bytes = record.encoded
        for count in 0..<bytes.count {
            #expect(throws: DownloadRecord.Problem.self) { try DownloadRecord(decoding: Array(bytes.prefix(count))) }
            #expect(throws: DownloadRecord.Problem.self) {
                try DownloadRecord(decoding: Array(bytes.dropFirst(count + 1)))
            }
        }
        for byte in [0, 0x0A, 0x20, 0x7D] as [UInt8] {
            #expect(Self.decoded(bytes + [byte]) == .failure(.damaged))
            #expect(throws: DownloadRecord.Problem.self) { try DownloadRecord(decoding: [byte] + bytes) }
        }
    }

    @Test(
        arguments: [
            ("", .unreadable), ("tern-download", .unreadable), ("\n", .unreadable),
            ("tern-download 1\n{}", .unreadable),
            ("tern-download 0 sha256:00\n{}", .unreadable), ("tern-download 01 sha256:00\n{}", .unreadable),
            ("tern-download x sha256:00\n{}", .unreadable), ("tern-download -1 sha256:00\n{}", .unreadable),
            ("tern-download 1 sha256:00 more\n{}", .unreadable), ("tern-upload 1 sha256:00\n{}", .unreadable),
            ("tern-download 2 anything else\nmore", .newerVersion(2)),
            ("tern-download 999999999 x\n", .newerVersion(999_999_999)),
            ("tern-download 1000000000 x\n", .unreadable), ("tern-download 1 sha256:00\n{}", .damaged),
            ("tern-download 1 sha512:00\n{}", .damaged),
        ] as [(String, DownloadRecord.Problem)]
    )
    func `bytes that are not a record have a reason`(_ text: String, _ problem: DownloadRecord.Problem) {
        #expect(Self.decoded(Array(text.utf8)) == .failure(problem))
    }

    // MARK: Content that was written by another program

    @Test(
        arguments: [
            ("\"length\":1000", "\"length\":800"), ("\"length\":1000", "\"length\":-1"),
            ("\"length\":1000", "\"length\":1e3"), ("\"length\":1000", "\"length\":99999999999999999999"),
            ("\"length\":1000", "\"length\":\"1000\""), ("\"length\":1000", "\"length\":1000.5"),
            ("[0,400]", "[0,500]"), ("[0,400]", "[400,0]"), ("[0,400]", "[-1,400]"), ("[0,400]", "[0,400,1]"),
            ("[0,400]", "[0]"), ("[0,400]", "[0,0]"), ("[[0,400],[500,900]]", "[[500,900],[0,400]]"),
            ("[[0,400],[500,900]]", "null"), (".model.bin.part", ""), (".model.bin.part", ".."),
            (".model.bin.part", "."),
            (".model.bin.part", "a/b"), (".model.bin.part", "/etc/passwd"), (".model.bin.part", "a\\u0000"),
            ("\\\"v1\\\"", "W/\\\"v1\\\""), ("\"etag\":\"\\\"v1\\\"\",", "\"etag\":null,"), ("sha-256", "sha-1"),
            ("sha-256", "md5"), ("caller", "other"), ("\"number\":7", "\"number\":-7"),
            ("{\"created\"", "{ \"created\""),
            ("{\"created\"", "{\"another\":1,\"created\""), ("{\"created\"", "{\"created\":1,\"created\""),
            ("\"created\":1800000000,", ""), ("\"file\":\".model.bin.part\",", ""), ("https://", "https:\\/\\/"),
        ]
    )
    func `content that is not in the format is refused, even with the right digest`(_ old: String, _ new: String) {
        let content = Self.content.replacing(old, with: new)
        #expect(content != Self.content)
        #expect(Self.decoded(Self.sealed(content)) == .failure(.invalid))
    }

    @Test func `a file that is too long is not decoded`() {
        let bytes = Self.full.encoded + [UInt8](repeating: 0x20, count: DownloadRecord.maximumByteCount)
        #expect(Self.decoded(bytes) == .failure(.tooLong))
        #expect(Self.decoded(Array(bytes.prefix(DownloadRecord.maximumByteCount))) == .failure(.damaged))
    }

    // MARK: Limits

    @Test func `the longest record fits`() throws {
        var ranges = ByteRangeSet()
        let start = Int64.max - 3_000_000
        for index in 0..<Int64(DownloadRecord.maximumRangeCount + 200) {
            ranges.insert(at: start + 1000 * index, byteCount: index < 200 ? 1 : 2)
        }
        let tag = "\"" + String(repeating: "\\", count: ResourceValidator.maximumEntityTagByteCount - 2) + "\""
        let record = try #require(
            DownloadRecord(
                fileName: String(repeating: "\u{1}", count: DownloadRecord.maximumFileNameByteCount),
                source: TransferResource(
                    origin: String(repeating: "\u{1}", count: 9999),
                    path: String(repeating: "\u{1}", count: 9999)
                ),
                creationDate: HTTPDate(secondsSince1970: .min),
                validator: Samples.validator(Samples.merged(Samples.tagged, [.eTag: tag])),
                completeLength: .max,
                mediaType: String(repeating: "\\", count: DownloadRecord.maximumMediaTypeByteCount),
                digest: TransferDigest(.sha512, [UInt8](repeating: 0, count: 64)),
                fileNumber: .max,
                ranges: ranges
            )
        )
        #expect(record.encoded.count <= DownloadRecord.maximumByteCount)
        var expected = record
        expected.ranges = ranges.keepingLongest(DownloadRecord.maximumRangeCount)
        #expect(try DownloadRecord(decoding: record.encoded) == expected)
        #expect(record.ranges.contains(expected.ranges))
    }

    @Test func `a media type that is too long is left out`() {
        let text = String(repeating: "a", count: DownloadRecord.maximumMediaTypeByteCount + 1)
        let record = DownloadRecord(
            fileName: "a",
            source: Samples.source,
            creationDate: Samples.now,
            validator: Samples.validator(),
            completeLength: nil,
            mediaType: text
        )
        #expect(record != nil && record?.mediaType == nil)
    }

    @Test func `a record names origin and path of a URL, and none of its secrets`() throws {
        let request = Request(.get, "https://user:pass@CDN.example.com/models/a%20b.bin?X-Signature=secret#top")
        let source = TransferResource(try request.destination())
        #expect(source == TransferResource(origin: "https://cdn.example.com:443", path: "/models/a%20b.bin"))
        let long = TransferResource(origin: "https://example.com:443", path: "/" + String(repeating: "é", count: 2000))
        #expect(long.path.utf8.count == 2047)
        #expect(TransferResource(origin: long.origin, path: long.path) == long)
    }

    @Test(arguments: [
        (1000, 0..<1000, true), (1000, 0..<999, false), (1000, 1..<1000, false), (nil, 0..<1000, false),
        (0, 0..<0, true),
    ])
    func `a record is whole when it has all bytes`(_ length: Int64?, _ range: Range<Int64>, _ isWhole: Bool) {
        #expect(Samples.record(ByteRangeSet(range), of: length).isWhole == isWhole)
    }
}
