// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCacheStores

@Suite("How full a cache's folder is")
struct FolderUsageTests {
    private static let limit = CacheSize(byteCount: 100, entryCount: 10)

    private static func bytes(_ count: Int64) -> CacheSize { CacheSize(byteCount: count) }

    private static func entries(_ count: Int) -> CacheSize { CacheSize(entryCount: count) }

    private static func counted(_ size: CacheSize) -> FolderUsage {
        var usage = FolderUsage(limit: Self.limit)
        _ = usage.change(by: Self.bytes(1))
        _ = usage.counted(size)
        return usage
    }

    @Test func `it is counted when something is stored first, and when it is full`() {
        var usage = FolderUsage(limit: Self.limit)
        var steps = [usage.change(by: Self.bytes(10))]
        steps.append(usage.counted(Self.bytes(50)))
        #expect(usage.size == Self.bytes(50))
        steps.append(usage.change(by: Self.bytes(50)))
        steps.append(usage.change(by: Self.bytes(1)))
        #expect(steps == [true, false, false, true])
    }

    @Test func `it is full by the number of entries, too`() {
        var usage = Self.counted(Self.entries(9))
        let steps = [usage.change(by: Self.entries(1)), usage.change(by: Self.entries(1))]
        #expect(steps == [false, true])
    }

    @Test func `it is counted once at a time, and again for what came meanwhile`() {
        var usage = FolderUsage(limit: Self.limit)
        var steps = [10, 30, 30].map { usage.change(by: Self.bytes($0)) }
        steps.append(usage.counted(Self.bytes(80)))
        #expect(usage.size == Self.bytes(140))
        steps.append(usage.counted(Self.bytes(90)))
        #expect(usage.size == Self.bytes(90))
        #expect(steps == [true, false, false, true, false])
    }

    @Test func `an emptied folder has room again`() {
        var usage = Self.counted(Self.bytes(90))
        usage.emptied()
        #expect(usage.size == CacheSize())
        let needsMeasurement = usage.change(by: Self.bytes(90))
        #expect(!needsMeasurement)
    }

    @Test func `an emptied folder is measured when the measurement in progress has found too much`() {
        var usage = FolderUsage(limit: Self.limit)
        var steps = [usage.change(by: Self.bytes(60)), usage.change(by: Self.bytes(60))]
        usage.emptied()
        steps.append(usage.change(by: Self.bytes(60)))
        steps.append(usage.counted(Self.bytes(60)))
        #expect(usage.size == Self.bytes(120))
        #expect(steps == [true, false, false, true])
    }

    @Test func `a folder that cannot be made smaller is not counted for ever`() {
        var usage = FolderUsage(limit: Self.limit)
        var steps = [usage.change(by: Self.bytes(10))]
        steps.append(usage.counted(Self.bytes(500)))
        steps.append(usage.change(by: Self.bytes(1)))
        steps.append(usage.counted(Self.bytes(501)))
        #expect(steps == [true, false, true, false])
    }

    @Test func `what is deleted is taken off, down to nothing, and is no reason to count`() {
        var usage = Self.counted(CacheSize(byteCount: 500, entryCount: 3))
        var steps = [usage.change(by: CacheSize(byteCount: -200, entryCount: -1))]
        #expect(usage.size == CacheSize(byteCount: 300, entryCount: 2))
        steps.append(usage.change(by: CacheSize(byteCount: -400, entryCount: -3)))
        #expect(usage.size == CacheSize())
        var unknown = FolderUsage(limit: Self.limit)
        steps.append(unknown.change(by: Self.bytes(-10)))
        #expect(unknown.size == nil)
        #expect(steps == [false, false, false])
    }

    @Test func `what is deleted while it is counted is not taken off twice`() {
        var usage = FolderUsage(limit: Self.limit)
        _ = usage.change(by: Self.bytes(10))
        var steps = [usage.change(by: Self.bytes(-50))]
        steps.append(usage.counted(Self.bytes(80)))
        #expect(usage.size == Self.bytes(80))
        #expect(steps == [false, false])
    }
}

@Suite("Room for bodies that are being written")
struct WritingBudgetTests {
    @Test func `all that is written at once takes half of a store, or one body`() {
        let budget = WritingBudget(100, 10)
        #expect(throws: Never.self) { try budget.take(40) }
        #expect(throws: CacheStoreError.tooLarge) { try budget.take(11) }
        #expect(throws: Never.self) { try budget.take(10) }
        budget.give(50)
        #expect(throws: Never.self) { try budget.take(50) }
        #expect(throws: Never.self) { try WritingBudget(100, 80).take(80) }
    }
}
