// SPDX-License-Identifier: Apache-2.0
import CoreFoundation  // `stat`, on Linux
import Foundation
import HTTPTypes
import NIOCore
import TernCaching
import TernErrors
import TestSupport
import Testing

@testable import TernCacheStores

/// Tests files that other users or crashed processes may have left in the folder of a cache.
@Suite("The folder of a cache", .hangLimit)
struct DiskCacheFolderTests {
    private static let key = CacheKey.test
    private static let places = ["heads", "bodies", "new"]

    private static func store(_ store: DiskCacheStore, _ body: String, _ key: CacheKey = key) async throws {
        let writer = try await store.makeWriter(for: key)
        if !body.isEmpty { try await writer.append(ByteBuffer(string: body)) }
        try await writer.commit(StoredResponse(statusCode: 200, fields: [:], requestTime: 1, responseTime: 2))
    }

    private static func isFound(_ store: DiskCacheStore, _ key: CacheKey = key) async throws -> Bool {
        guard let entry = try await store.entries(for: key).first else { return false }
        return try await store.body(of: entry, for: key) != nil
    }

    private static func keys(_ count: Int) throws -> [CacheKey] {
        try (0..<count).map { CacheKey(try #require(URL(string: "http://test/\($0)"))) }
    }

    /// Returns the name of a file like the store names its files.
    private static func name(_ number: Int, in place: String) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: (place == "heads" ? 64 : 32) - digits.count) + digits
    }

    private static var old: [FileAttributeKey: Any] { [.modificationDate: Date(timeIntervalSince1970: 1)] }

    // MARK: Other users

    @Test(arguments: places)
    func `a link in place of a folder leads the store to nobody's files`(_ place: String) async throws {
        let victim = try TemporaryFolder()
        try await withAbsentFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let names = ["thesis.txt", Self.name(7, in: place)]
            for name in names {
                try victim.write("mine", to: name)
                try FileManager.default.setAttributes(Self.old, ofItemAtPath: victim.file(name).path)
            }
            let link = folder.appendingPathComponent(place)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim.url)
            let store = DiskCacheStore(directory: folder, maximumByteCount: 1, maximumBodyByteCount: 100)
            await #expect(throws: CacheStoreError.self) { try await Self.store(store, "body") }
            await store.waitForRoom()
            try await store.removeAll()
            #expect(try victim.names == names.sorted())
            #expect(try await !Self.isFound(store))
        }
    }

    @Test func `a link in place of the whole is not followed`() async throws {
        let victim = try TemporaryFolder()
        try await withAbsentFolder { folder in
            try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: victim.url)
            let store = DiskCacheStore(directory: folder)
            await #expect(throws: CacheStoreError.self) { try await Self.store(store, "body") }
            #expect(try victim.names.isEmpty)
        }
    }

    @Test(arguments: [("", 0o777), ("", 0o770), ("heads", 0o702), ("bodies", 0o720), ("new", 0o777)])
    func `a folder that others may write to is not used`(_ place: String, _ mode: Int) async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            try await Self.store(store, "body")
            let path = place.isEmpty ? folder.path : folder.appendingPathComponent(place).path
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            await #expect(throws: CacheStoreError.file(.notPermitted)) { try await Self.store(store, "other") }
            let isFound = try await Self.isFound(store)
            #expect(isFound == (place == "new"))
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            try await Self.store(store, "mine")
            #expect(try await Self.isFound(store))
        }
    }

    @Test(.enabled("only the superuser can give a folder away") { geteuid() == 0 }, arguments: ["", "bodies"])
    func `a folder of another user is not used`(_ place: String) async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder)
            try await Self.store(store, "body")
            let path = place.isEmpty ? folder.path : folder.appendingPathComponent(place).path
            #expect(chown(path, 12345, 12345) == 0)
            await #expect(throws: CacheStoreError.file(.notPermitted)) { try await Self.store(store, "other") }
            #expect(try await !Self.isFound(store))
        }
    }

    @Test func `nothing is deleted that the store did not name`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder, maximumByteCount: 1, maximumBodyByteCount: 100)
            try await Self.store(store, "body")
            await store.waitForRoom()
            var kept: [URL] = []
            for place in Self.places {
                for name in ["abc", "README", String(repeating: "A", count: 32), Self.name(1, in: place) + ".txt"] {
                    let file = folder.appendingPathComponent(place).appendingPathComponent(name)
                    try Data("mine".utf8).write(to: file)
                    try FileManager.default.setAttributes(Self.old, ofItemAtPath: file.path)
                    kept.append(file)
                }
            }
            try await Self.store(store, "other")
            await store.waitForRoom()
            try await store.removeAll()
            for file in kept { #expect(FileManager.default.fileExists(atPath: file.path), "\(file.lastPathComponent)") }
        }
    }

    // MARK: Crashes

    @Test func `what crashes left is deleted before anything that is of use`() async throws {
        try await withAbsentFolder { folder in
            let keys = try Self.keys(3)
            let first = DiskCacheStore(directory: folder)
            for key in keys.prefix(2) { try await Self.store(first, "body", key) }
            // All files are new, like after a process was killed a moment ago.
            for number in 1...40 {
                for place in ["bodies", "new"] {
                    let file = folder.appendingPathComponent(place).appendingPathComponent(Self.name(number, in: place))
                    try Data(repeating: 1, count: 20_000).write(to: file)
                }
            }
            let store = DiskCacheStore(directory: folder, maximumByteCount: 200_000)
            try await Self.store(store, "body", keys[2])
            await store.waitForRoom()
            for key in keys { #expect(try await Self.isFound(store, key)) }
            let names = try ["bodies", "new"].flatMap { place in
                try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(place).path)
            }
            #expect(names.count == 3)
        }
    }

    @Test func `what another store is writing stays, however long that takes`() async throws {
        try await withAbsentFolder { folder in
            let other = DiskCacheStore(directory: folder)
            let writer = try await other.makeWriter(for: Self.key)
            try await writer.append(ByteBuffer(string: "half "))
            let place = folder.appendingPathComponent("new")
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: place.path).first)
            try FileManager.default.setAttributes(Self.old, ofItemAtPath: place.appendingPathComponent(name).path)
            let store = DiskCacheStore(directory: folder, maximumByteCount: 200_000)
            try await Self.store(store, "body", try Self.keys(1)[0])
            await store.waitForRoom()
            try await writer.append(ByteBuffer(string: "whole"))
            try await writer.commit(StoredResponse(statusCode: 200, fields: [:], requestTime: 1, responseTime: 2))
            #expect(try await Self.isFound(store))
        }
    }

    // MARK: Several at once

    @Test func `stores that open a folder at the same time have one key`() async throws {
        try await withAbsentFolder { folder in
            let keys = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                for _ in 0..<8 {
                    let store = DiskCacheStore(directory: folder)
                    group.addTask { try await store.digestKey() }
                }
                return try await group.reduce(into: Set<[UInt8]?>()) { $0.insert($1) }
            }
            #expect(keys.count == 1)
            #expect(keys.first.flatMap(\.self)?.count == 32)
        }
    }

    // MARK: What is counted

    @Test func `bodies that are written at once take half of the store, and give it back`() async throws {
        try await withAbsentFolder { folder in
            let store = DiskCacheStore(directory: folder, maximumByteCount: 10_000, maximumBodyByteCount: 2000)
            let keys = try Self.keys(3)
            let text = String(repeating: "x", count: 1001)
            do {
                var writers: [any CacheWriter] = []
                for key in keys.prefix(2) {
                    let writer = try await store.makeWriter(for: key)
                    try await writer.append(ByteBuffer(repeating: 1, count: 2000))
                    writers.append(writer)
                }
                await #expect(throws: CacheStoreError.tooLarge) { try await Self.store(store, text, keys[2]) }
                withExtendedLifetime(writers) {}
            }
            try await Self.store(store, text, keys[2])
        }
    }

    @Test func `many short bodies take no more of the disk than the limit`() async throws {
        try await withAbsentFolder { folder in
            let limit: Int64 = 1 << 20
            let store = DiskCacheStore(directory: folder, maximumByteCount: limit)
            for key in try Self.keys(300) { try await Self.store(store, "a short body", key) }
            await store.waitForRoom()
            var byteCount: Int64 = 0
            for place in Self.places {
                let path = folder.appendingPathComponent(place).path
                for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                    var status = stat()
                    #expect(stat("\(path)/\(name)", &status) == 0)
                    byteCount += Int64(status.st_blocks) * 512
                }
            }
            #expect(byteCount > limit / 4 && byteCount <= limit)
        }
    }
}
