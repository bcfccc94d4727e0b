// SPDX-License-Identifier: Apache-2.0
import Crypto
import Tern
@testable import TernTransferQueue
import TernTransfers
import Testing

@Suite("The file of a transfer")
struct StoredTransferTests {
    private static func decoded(_ bytes: [UInt8]) -> Result<StoredTransfer, RecordProblem> {
        Result { () throws(RecordProblem) in try StoredTransfer(decoding: bytes) }
    }

    /// Returns content with the first line that belongs to it.
    private static func sealed(_ content: String, version: String = "1") -> [UInt8] {
        let digest = SHA256.hash(data: Array(content.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            .joined()
        return Array("tern-transfer \(version) sha256:\(digest)\n\(content)".utf8)
    }

    private static func content(_ transfer: StoredTransfer) -> String {
        String(decoding: transfer.encoded.drop { $0 != UInt8(ascii: "\n") }.dropFirst(), as: UTF8.self)
    }

    @Test(arguments: QueueSamples.all.indices)
    func `a transfer is the same after encoding and decoding`(_ index: Int) {
        let transfer = QueueSamples.all[index]
        #expect(Self.decoded(transfer.encoded) == .success(transfer))
        #expect(transfer.encoded.count < 2000)
    }

    /// Files of this format are on the disks of people, so the bytes must never change within a version.
    @Test func `the format of an upload is fixed`() {
        #expect(
            Self.content(QueueSamples.full) == """
                {"attempts":3,"bytes":500,"delay":90,"failure":{"message":"503 \\"later\\"","reason":"server-unavailable"},\
                "fields":[],"file":"/srv/models/the model ä.bin","label":"","method":"PUT","number":17,\
                "priority":"normal","sent":true,"state":"delayed","total":1000,"until":1800000000,\
                "upload":{"part":1000,"protocol":"tus-1.0.0","repeatable":false,"restarts":true,\
                "tus":{"checksum":"sha256","content":true,"metadata":[{"key":"name","value":"w6QuYmlu"},\
                {"key":"empty","value":""}]}},"url":"https://example.com:8443/files/model.bin?version=2&x=%20"}
                """
        )
        #expect(QueueSamples.full.encoded == Self.sealed(Self.content(QueueSamples.full)))
    }

    @Test func `the format of a download is fixed`() {
        let ab = String(repeating: "ab", count: 32)
        #expect(
            Self.content(QueueSamples.all[1]) == """
                {"attempts":0,"bytes":0,"checksum":"sha256:\(ab)","fields":[["Accept","application/octet-stream"],\
                ["User-Agent","test \\"1\\""],["Accept","*/*"]],"file":"/srv/models/the model ä.bin",\
                "label":"Modell „ä“/1","method":"GET","number":2,"priority":"high","sent":false,"state":"paused",\
                "url":"https://example.com:8443/files/model.bin?version=2&x=%20"}
                """
        )
    }

    @Test func `a file without the length of the delay, from an earlier version, is read`() {
        let content = Self.content(QueueSamples.full).replacing("\"delay\":90,", with: "")
        var transfer = QueueSamples.full
        transfer.phase = .delayed(until: HTTPDate(secondsSince1970: 1_800_000_000), secondCount: nil)
        #expect(Self.decoded(Self.sealed(content)) == .success(transfer))
    }

    @Test func `only a delayed transfer has the length of a delay`() {
        let content = Self.content(QueueSamples.all[4]).replacing("\"bytes\":0,", with: "\"bytes\":0,\"delay\":9,")
        #expect(content.contains("\"state\":\"waiting\"") && content.contains("delay"))
        #expect(Self.decoded(Self.sealed(content)) == .failure(.invalid))
    }

    // MARK: Damage

    @Test(arguments: QueueSamples.all.indices)
    func `every flipped bit and every other byte is noticed`(_ index: Int) {
        let bytes = QueueSamples.all[index].encoded
        for index in bytes.indices {
            for mask in [1, 2, 4, 8, 16, 32, 64, 128, 255] as [UInt8] {
                var changed = bytes
                changed[index] ^= mask
                guard case .success = Self.decoded(changed) else { continue }
                Issue.record("byte \(index) with mask \(mask) goes unnoticed")
            }
        }
    }

    @Test func `every truncation and every added byte is noticed`() {
        let bytes = QueueSamples.full.encoded
        for count in 0..<bytes.count {
            #expect(throws: RecordProblem.self) { try StoredTransfer(decoding: Array(bytes.prefix(count))) }
        }
        #expect(Self.decoded(bytes + [0x0A]) == .failure(.damaged))
        #expect(Self.decoded(bytes + [UInt8](repeating: 0, count: 64 << 10)) == .failure(.tooLong))
    }

    @Test(
        arguments: [
            ("", .unreadable), ("tern-transfer 1\n{}", .unreadable), ("tern-upload 1 sha256:00\n{}", .unreadable),
            ("tern-transfer 2 anything else\nmore", .newerVersion(2)), ("tern-transfer 1 sha256:00\n{}", .damaged),
        ] as [(String, RecordProblem)]
    )
    func `bytes that are not a transfer have a reason`(_ text: String, _ problem: RecordProblem) {
        #expect(Self.decoded(Array(text.utf8)) == .failure(problem))
    }

    // MARK: Content that was written by another program

    @Test(
        arguments: [
            ("\"attempts\":3", "\"attempts\":-1"), ("\"bytes\":500", "\"bytes\":-1"),
            ("\"total\":1000", "\"total\":-1"),
            ("\"number\":17", "\"number\":0"), ("\"number\":17", "\"number\":10000000000"),
            ("\"state\":\"delayed\"", "\"state\":\"waiting\""), ("\"state\":\"delayed\"", "\"state\":\"running\""),
            (",\"until\":1800000000", ""), ("\"delay\":90", "\"delay\":-1"), ("\"delay\":90", "\"delay\":\"90\""),
            ("server-unavailable", "unknown"), ("\"normal\"", "\"highest\""),
            ("\"PUT\"", "\"GET\""), ("\"PUT\"", "\"P T\""), ("tus-1.0.0", "tus-2.0.0"), ("\"sha256\"", "\"crc\""),
            ("\"key\":\"name\"", "\"key\":\"na me\""), ("/srv/models", "srv/models"),
            ("https://", "ftp://"), ("https://", "https://user@"), ("https://", "https://user:secret@"),
            ("\"fields\":[]", "\"fields\":[[\"Authorization\",\"x\"]]"), ("\"fields\":[]", "\"fields\":[[\"Accept\"]]"),
            ("\"fields\":[]", "\"fields\":[[\"Acc ept\",\"x\"]]"),
            ("\"fields\":[]", "\"fields\":[[\"Accept\",\" x\"]]"),
            ("\"part\":1000", "\"part\":0"), ("{\"attempts\"", "{\"a\":1,\"attempts\""), ("{\"att", "{ \"att"),
            ("\"sent\":true", "\"sent\":1"), ("\"fields\":[]", "\"checksum\":\"md5:00\",\"fields\":[]"),
        ]
    )
    func `content that is not in the format is refused, even with the right digest`(_ old: String, _ new: String) {
        let content = Self.content(QueueSamples.full)
        #expect(content.contains(old))
        #expect(Self.decoded(Self.sealed(content.replacing(old, with: new))) == .failure(.invalid))
    }

    // MARK: Limits

    @Test func `a message is cut off between two characters`() {
        let failure = TransferFailure(.other, String(repeating: "ä", count: 300) + "€")
        let stored = StoredTransfer.Failure(failure)
        #expect(stored.message == String(repeating: "ä", count: 256))
    }

    @Test func `a transfer that fits when it is added fits in each later state`() {
        var transfer = QueueSamples.full
        (transfer.failure, transfer.phase) = (nil, .waiting)
        (transfer.byteCount, transfer.totalByteCount, transfer.failedAttemptCount) = (0, nil, 0)
        let count = StoredTransfer.maximumNewByteCount - transfer.encoded.count
        transfer.description.fields.append(.init(name: .accept, value: String(repeating: "a", count: count - 15)))
        #expect(transfer.encoded.count <= StoredTransfer.maximumNewByteCount)
        transfer.failure = .init(reason: .serverUnavailable, message: String(repeating: "\u{1}", count: 512))
        transfer.phase = .delayed(until: HTTPDate(secondsSince1970: .max), secondCount: .max)
        (transfer.byteCount, transfer.totalByteCount, transfer.failedAttemptCount) = (.max, .max, .max)
        #expect(Self.decoded(transfer.encoded) == .success(transfer))
    }

    // MARK: The state of the queue

    @Test(arguments: [(1, false), (18, true), (10_000_000_000, false)] as [(Int64, Bool)])
    func `the state of a queue is the same after encoding and decoding`(_ next: Int64, _ isPaused: Bool) throws {
        var queue = StoredQueue()
        (queue.next, queue.isPaused) = (next, isPaused)
        #expect(try StoredQueue(decoding: queue.encoded) == queue)
        let text = String(decoding: queue.encoded, as: UTF8.self)
        #expect(text.hasPrefix("tern-transfer-queue 1 sha256:"))
        #expect(text.hasSuffix("\n{\"next\":\(next),\"paused\":\(isPaused)}"))
        for index in queue.encoded.indices {
            var changed = queue.encoded
            changed[index] ^= 1
            #expect(throws: RecordProblem.self) { try StoredQueue(decoding: changed) }
        }
    }
}
