// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCLibrary
import TernCaching
import TernErrors
import TernFiles
import TernFoundation
import TernTransport
import TestSupport
import Testing

@testable import TernCacheStores

@Suite("Cache on disk", .hangLimit)
struct DiskCacheStoreTests {
    private static let key = CacheKey.test

    private static func response(
        _ tag: String = "\"a\"",
        _ variant: StoredResponse.Variant = StoredResponse.Variant()
    ) -> StoredResponse {
        StoredResponse(statusCode: 200, fields: [.eTag: tag], requestTime: 1, responseTime: 2, variant: variant)
    }

    private static func store(
        _ store: some CacheStore,
        _ body: String,
        _ response: StoredResponse = response(),
        _ key: CacheKey = key
    ) async throws {
        let writer = try await store.makeWriter(for: key)
        if !body.isEmpty { try await writer.append(ByteBuffer(string: body)) }
        try await writer.commit(response)
    }

    private static func found(_ store: some CacheStore, _ key: CacheKey = key) async throws -> [String] {
        var texts: [String] = []
        for entry in try await store.entries(for: key) {
            guard let body = try await store.body(of: entry, for: key) else { continue }
            var bytes = ByteBuffer()
            var reader = body.makeReader()
            while let piece = try await reader.next() { bytes.writeImmutableBuffer(piece) }
            texts.append("\(entry.response.entityTag ?? "-") \(String(buffer: bytes))")
        }
        return texts
    }

    private static func files(_ folder: URL) -> [URL] {
        ["heads", "bodies", "new"].flatMap { name -> [URL] in
            let place = folder.appendingPathComponent(name)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
            return names.sorted().map { place.appendingPathComponent($0) }
        }
    }

    /// The file of a body stays open while a call reads it.
    @Test func `a body takes no descriptor of the reserve`() async {
        await #expect(processExitsWith: .success) {
            try await withAbsentFolder { folder in
                let store = DiskCacheStore(directory: folder)
                try await Self.store(store, "body")
                do {
                    let table = try FullDescriptorTable(freeCount: 8)
                    #expect(try await Self.found(store).isEmpty)
                    withExtendedLifetime(table) {}
                }
                #expect(try await Self.found(store) == ["\"a\" body"])
            }
        }
    }

    @Test func `what is stored is found, also by another process`() async throws {
        try await withAbsentFolder { folder in
            let long = String(repeating: "long ", count: 200_000)
            let store = DiskCacheStore(directory: folder)
            #expect(try await Self.found(store).isEmpty)
            try await Self.store(store, "body")
            #expect(try await Self.found(store) == ["\"a\" body"])
            #expect(try await Self.found(DiskCacheStore(directory: folder)) == ["\"a\" body"])
            try await Self.store(store, long, Self.response("\"b\""))
            #expect(try await Self.found(store) == ["\"b\" \(long)"])
            try await Self.store(store, "", Self.response("\"c\""))
            #expect(try await Self.found(store) == ["\"c\" "])
            #expect(Self.files(folder).count == 2)
        }
    }

    @Test func `variants live side by side, a few of them`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            for number in 0..<20 {
                let variant = StoredResponse.Variant(nominations: [.init(name: "accept", digest: "\(number)")])
                try await Self.store(store, "\(number)", Self.response("\"\(number)\"", variant))
            }
            #expect(try await Self.found(store) == (4..<20).reversed().map { "\"\($0)\" \($0)" })
            #expect(Self.files(folder).count == 17)
        }
    }

    private static func variant(_ number: Int) -> StoredResponse {
        let field = StoredResponse.Variant.SelectingField(name: "accept", digest: "\(number)")
        return Self.response("\"\(number)\"", StoredResponse.Variant(nominations: [field]))
    }

    @Test func `if a file has no room for the heads of all variants, the oldest go with their bodies`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            for number in 0..<5 {
                var response = Self.variant(number)
                response.fields[.contentLanguage] = String(repeating: "x", count: 1_000_000)
                try await Self.store(store, "\(number)", response)
            }
            let tags = try await store.entries(for: Self.key).map(\.response.entityTag)
            #expect(tags == ["\"4\"", "\"3\"", "\"2\"", "\"1\""] && Self.files(folder).count == 5)
        }
    }

    @Test func `a head that could not be read again is not stored, and takes no other with it`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            try await Self.store(store, "body")
            var long = Self.variant(1)
            for number in 0..<1100 { long.fields.append(HTTPField(name: .via, value: "\(number)")) }
            try await Self.store(store, "other", long)
            #expect(try await Self.found(store) == ["\"a\" body"] && Self.files(folder).count == 2)
            var entry = try #require(try await store.entries(for: Self.key).first)
            entry.response.fields = long.fields
            try await store.update(entry, for: Self.key)
            #expect(try await Self.found(store).isEmpty && Self.files(folder).isEmpty)
        }
    }

    @Test func `if the variants of one URL fill the store, the oldest go with their bodies`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder, maximumByteCount: 120_000, maximumBodyByteCount: 50_000)
            let body = String(repeating: "x", count: 20_000)
            for number in 0..<6 { try await Self.store(store, body, Self.variant(number)) }
            await store.waitForRoom()
            let tags = try await store.entries(for: Self.key).map(\.response.entityTag)
            #expect(tags == ["\"5\"", "\"4\"", "\"3\"", "\"2\""] && Self.files(folder).count == 5)
        }
    }

    @Test func `a head is replaced, and entries are forgotten`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            try await Self.store(store, "body")
            var entry = try #require(try await store.entries(for: Self.key).first)
            entry.response = Self.response("\"new\"")
            try await store.update(entry, for: Self.key)
            #expect(try await Self.found(store) == ["\"new\" body"])
            try await store.remove(Self.key)
            #expect(try await Self.found(store).isEmpty && Self.files(folder).isEmpty)
            try await store.update(entry, for: Self.key)
            #expect(try await Self.found(store).isEmpty)
            try await Self.store(store, "body")
            try await store.removeAll()
            #expect(try await Self.found(store).isEmpty && Self.files(folder).isEmpty)
        }
    }

    @Test func `a file from far ahead of its time does no harm`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder, maximumByteCount: 1, maximumBodyByteCount: 100)
            try await Self.store(DiskCacheStore(directory: folder), "body")
            for name in ["heads", "bodies", "new"] {
                let file = folder.appendingPathComponent(name)
                    .appendingPathComponent(String(repeating: "a", count: name == "heads" ? 64 : 32))
                try Data("x".utf8).write(to: file)
                for seconds in [1e10, 1e11] {
                    let date = Date(timeIntervalSince1970: seconds)
                    try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
                }
            }
            try await Self.store(store, "other", Self.response(), CacheKey(URL(fileURLWithPath: "/other")))
            await store.waitForRoom()
            #expect(try await Self.found(store).isEmpty)
        }
    }

    @Test func `a writer that is released leaves nothing`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            do {
                let writer = try await store.makeWriter(for: Self.key)
                try await writer.append(ByteBuffer(string: "half"))
                #expect(Self.files(folder).count == 1)
            }
            // The store's queue may hold the file for a moment after it has appended to it.
            try await eventually("the file is deleted") { Self.files(folder).isEmpty }
        }
    }

    @Test func `a file that was cut or altered anywhere is not found`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            try await Self.store(store, "a small body")
            let files = Self.files(folder)
            try #require(files.count == 2)
            let contents = try files.map { try Data(contentsOf: $0) }
            // The store deletes a file that it cannot trust, so the test must restore the files each time.
            let restore = { for (file, content) in zip(files, contents) { try content.write(to: file) } }
            for (file, content) in zip(files, contents) {
                for index in content.indices {
                    var altered = content
                    altered[index] ^= 1 << (index % 8)
                    for bad in [altered, content.prefix(index)] {
                        try bad.write(to: file)
                        let other = DiskCacheStore(directory: folder)
                        #expect(try await Self.found(other).isEmpty)
                        try restore()
                    }
                }
                try (content + [0]).write(to: file)
                #expect(try await Self.found(store).isEmpty)
                try restore()
                #expect(try await Self.found(store) == ["\"a\" a small body"])
            }
        }
    }

    @Test func `stores that share a folder and write at once never give a wrong body`() async throws {
        try await withAbsentFolder { folder in
            let body = { @Sendable (tag: Int) in String(repeating: "\(tag) ", count: 1000 * (tag % 7)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        let store = DiskCacheStore(directory: folder, maximumByteCount: 100_000)
                        for round in 0..<20 {
                            let tag = writer * 100 + round
                            try? await Self.store(store, body(tag), Self.response("\"\(tag)\""))
                            for text in try await Self.found(store) {
                                let found = try #require(Int(text.dropFirst().prefix { $0 != "\"" }))
                                expectEqual(text, "\"\(found)\" \(body(found))")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Self.found(DiskCacheStore(directory: folder)).count <= 1)
        }
    }

    @Test func `a body that cannot be read now is found later, and one that was altered takes no other with it`()
        async throws
    {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            for number in 0..<2 {
                let variant = StoredResponse.Variant(nominations: [.init(name: "accept", digest: "\(number)")])
                try await Self.store(store, "\(number)", Self.response("\"\(number)\"", variant))
            }
            let id = try #require(try await store.entries(for: Self.key).first).id
            let body = folder.appendingPathComponent("bodies").appendingPathComponent(id)
            let aside = folder.appendingPathComponent("aside")
            try FileManager.default.moveItem(at: body, to: aside)
            // Opening this link fails, like opening a file when no descriptor is free.
            try FileManager.default.createSymbolicLink(at: body, withDestinationURL: body)
            #expect(try await Self.found(store) == ["\"0\" 0"])
            try FileManager.default.removeItem(at: body)
            try FileManager.default.moveItem(at: aside, to: body)
            #expect(try await Self.found(store) == ["\"1\" 1", "\"0\" 0"])
            try Data("x".utf8).write(to: body)
            #expect(try await Self.found(store) == ["\"0\" 0"])
            #expect(try await store.entries(for: Self.key).count == 1 && Self.files(folder).count == 2)
        }
    }

    @Test func `a response whose head cannot be written leaves no body`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            let writer = try await store.makeWriter(for: Self.key)
            try await writer.append(ByteBuffer(string: "body"))
            let head = folder.appendingPathComponent("heads").appendingPathComponent(Self.key.name)
            try FileManager.default.createDirectory(at: head, withIntermediateDirectories: false)
            await #expect(throws: CacheStoreError.self) { try await writer.commit(Self.response()) }
            try FileManager.default.removeItem(at: head)
            #expect(Self.files(folder).isEmpty)
        }
    }

    @Test func `a file under another name answers nothing`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            try await Self.store(store, "body")
            let other = CacheKey(try #require(URL(string: "http://test/other")))
            let heads = folder.appendingPathComponent("heads")
            try FileManager.default.copyItem(
                at: heads.appendingPathComponent(Self.key.name),
                to: heads.appendingPathComponent(other.name)
            )
            #expect(try await Self.found(store, other).isEmpty)
            #expect(try await Self.found(store) == ["\"a\" body"])
        }
    }

    @Test func `files are for their owner alone`() async throws {
        try await withAbsentFolder { folder in
            try await Self.store(DiskCacheStore(directory: folder), "body")
            for file in Self.files(folder) {
                let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                #expect(!file.lastPathComponent.contains("test"))
            }
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
        }
    }

    @Test(arguments: [0o620, 0o602, 0o666])
    func `what somebody else could have written is not found`(mode: Int) async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            try await Self.store(store, "body")
            let head = folder.appendingPathComponent("heads").appendingPathComponent(Self.key.name).path
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: head)
            #expect(try await Self.found(store).isEmpty)
            try await Self.store(store, "mine")
            #expect(try await Self.found(store) == ["\"a\" mine"])
        }
    }

    @Test func `what is being written counts, and is deleted when its process is gone`() async throws {
        try await withAbsentFolder { folder in
            let limit = CacheSize(byteCount: 40_000, entryCount: 100)
            let store = DiskCacheStore(directory: folder, maximumByteCount: 40_000, maximumBodyByteCount: 20_000)
            try await Self.store(store, "body")
            let (name, descriptor) = try store.files.create()
            let byteCount = CacheSweep(files: store.files).run(limit: limit).byteCount
            let bytes = [UInt8](repeating: 0, count: 20_000)
            #expect(bytes.withUnsafeBytes { OpenFile.write($0, to: descriptor) } == nil)
            #expect(CacheSweep(files: store.files).run(limit: limit).byteCount == byteCount + 20_480)
            OpenFile.closeLocked(descriptor)  // what the end of a process does
            #expect(CacheSweep(files: store.files).run(limit: limit).byteCount == byteCount - 512)
            let left = folder.appendingPathComponent("new").appendingPathComponent(name)
            #expect(!FileManager.default.fileExists(atPath: left.path))
            #expect(try await Self.found(store) == ["\"a\" body"])
        }
    }

    @Test func `a body that no head names goes when its process is gone`() async throws {
        try await withAbsentFolder { folder in
            let limit = CacheSize(byteCount: 40_000, entryCount: 100)
            let store = DiskCacheStore(directory: folder)
            try await Self.store(store, "body")
            let (name, descriptor) = try store.files.create()
            try store.files.move(name, to: .body, name)
            #expect(CacheSweep(files: store.files).run(limit: limit).entryCount == 1)
            #expect(store.files.list(.body).count == 2)
            OpenFile.closeLocked(descriptor)
            #expect(CacheSweep(files: store.files).run(limit: limit).entryCount == 1)
            #expect(store.files.list(.body).count == 1)
            #expect(try await Self.found(store) == ["\"a\" body"])
        }
    }

    @Test func `there are no more entries than may be, whatever their length`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            let keys = try (0..<6).map { CacheKey(try #require(URL(string: "http://test/\($0)"))) }
            for key in keys { try await Self.store(store, "", Self.response(), key) }
            let limit = CacheSize(byteCount: .max, entryCount: 5)
            #expect(CacheSweep(files: store.files).run(limit: limit).entryCount == 5)
            #expect(try await store.entries(for: keys[0]).isEmpty && store.files.list(.body).count == 5)
        }
    }

    @Test func `what becomes a body while it is counted counts once`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            try await Self.store(store, "body")
            let body = try #require(store.files.list(.body).first)
            let limit = CacheSize(byteCount: 10_000, entryCount: 100)
            let size = CacheSweep(files: store.files).run(limit: limit)
            let seenBefore = folder.appendingPathComponent("new").appendingPathComponent(body.name)
            try Data("body".utf8).write(to: seenBefore)
            #expect(CacheSweep(files: store.files).run(limit: limit) == size)
        }
    }

    @Test func `what was used longest ago goes first`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder, maximumByteCount: 120_000, maximumBodyByteCount: 50_000)
            let body = String(repeating: "x", count: 20_000)
            let keys = try (0..<6).map { CacheKey(try #require(URL(string: "http://test/\($0)"))) }
            for key in keys.prefix(4) { try await Self.store(store, body, Self.response(), key) }
            _ = try await store.entries(for: keys[0])  // counts as a use
            for key in keys.suffix(2) { try await Self.store(store, body, Self.response(), key) }
            await store.waitForRoom()
            var left: [Int] = []
            for (number, key) in keys.enumerated() where !(try await store.entries(for: key).isEmpty) {
                left.append(number)
            }
            #expect(left == [0, 3, 4, 5])
            let sum = try Self.files(folder).reduce(0) { $0 + (try Data(contentsOf: $1).count) }
            #expect(sum <= 120_000)
        }
    }

    @Test func `a URL that loses some of its entries does not count as used`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            let other = CacheKey(try #require(URL(string: "http://test/other")))
            for number in 0..<3 { try await Self.store(store, "", Self.variant(number)) }
            try await Self.store(store, "", Self.response(), other)
            for (key, age) in [(Self.key, 200.0), (other, 100.0)] {
                let head = folder.appendingPathComponent("heads").appendingPathComponent(key.name).path
                try FileManager.default.setAttributes([.modificationDate: Date() - age], ofItemAtPath: head)
            }
            for count in [3, 2] {
                let limit = CacheSize(byteCount: .max, entryCount: count)
                #expect(CacheSweep(files: store.files).run(limit: limit).entryCount == count)
            }
            let counts = [try await store.entries(for: Self.key).count, try await store.entries(for: other).count]
            #expect(counts == [1, 1])
        }
    }

    @Test(arguments: [3600.0, 31_536_000])
    func `what was used in the future goes first, because the clock was set back`(step: Double) async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            let keys = try (0..<5).map { CacheKey(try #require(URL(string: "http://test/\($0)"))) }
            for key in keys { try await Self.store(store, "", Self.response(), key) }
            let now = Date()
            // The first was used just before the second, and both before the clock was set back.
            for (number, time) in [step, step + 1, -step - 1, -step, 1].enumerated() {
                let head = folder.appendingPathComponent("heads").appendingPathComponent(keys[number].name).path
                try FileManager.default.setAttributes([.modificationDate: now + time], ofItemAtPath: head)
            }
            var sweep = CacheSweep(files: store.files)
            sweep.now = Int64(now.timeIntervalSince1970) * 1_000_000_000
            for (count, gone) in [(4, 0), (3, 1), (2, 2), (1, 3)] {
                let limit = CacheSize(byteCount: .max, entryCount: count)
                #expect(sweep.run(limit: limit).entryCount == count)
                let left = Set(store.files.list(.head).map(\.name))
                #expect(left == Set(keys[(gone + 1)...].map(\.name)))
            }
        }
    }

    @Test func `a folder that cannot be made, and a body that is too long, are failures`() async throws {
        try await withAbsentFolder { folder in
            try Data("x".utf8).write(to: folder)
            let store = DiskCacheStore(directory: folder)
            #expect(try await store.entries(for: Self.key).isEmpty)
            let writer = try await store.makeWriter(for: Self.key)
            await #expect(throws: CacheStoreError.file(.folderNotFound)) {
                try await writer.append(ByteBuffer(string: "x"))
            }
            await #expect(throws: CacheStoreError.file(.folderNotFound)) { try await writer.commit(Self.response()) }
        }
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder, maximumByteCount: 100)
            let writer = try await store.makeWriter(for: Self.key)
            await #expect(throws: CacheStoreError.tooLarge) {
                try await writer.append(ByteBuffer(string: "01234567890"))
            }
        }
    }

    @Test func `blocks on the global queues hold up no writing`() throws {
        let parent = try TemporaryFolder()
        let folder = parent.file("cache")
        try whileGlobalQueuesBlock { try await Self.store(DiskCacheStore(directory: folder), "body") }
        #expect(Self.files(folder).count == 2)
    }
}
