// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tern

@Suite("How full a cache's folder is")
struct FolderUsageTests {
    private static func counted(_ byteCount: Int64, limit: Int64 = 100) -> FolderUsage {
        var usage = FolderUsage(limit: limit)
        _ = usage.add(1)
        _ = usage.counted(byteCount)
        return usage
    }

    @Test func `it is counted when something is stored first, and when it is full`() {
        var usage = FolderUsage(limit: 100)
        var steps = [usage.add(10)]
        steps.append(usage.counted(50))
        #expect(usage.byteCount == 50)
        steps.append(usage.add(50))
        steps.append(usage.add(1))
        #expect(steps == [true, false, false, true])
    }

    @Test func `it is counted once at a time, and again for what came meanwhile`() {
        var usage = FolderUsage(limit: 100)
        var steps = [usage.add(10), usage.add(30), usage.add(30)]
        steps.append(usage.counted(80))
        #expect(usage.byteCount == 140)
        steps.append(usage.counted(90))
        #expect(usage.byteCount == 90)
        #expect(steps == [true, false, false, true, false])
    }

    @Test func `a folder that cannot be made smaller is not counted for ever`() {
        var usage = FolderUsage(limit: 100)
        var steps = [usage.add(10)]
        steps.append(usage.counted(500))
        steps.append(usage.add(1))
        steps.append(usage.counted(501))
        #expect(steps == [true, false, true, false])
    }

    @Test func `what is deleted is taken off, down to nothing`() {
        var usage = Self.counted(50)
        usage.subtract(20)
        #expect(usage.byteCount == 30)
        usage.subtract(40)
        #expect(usage.byteCount == 0)
        var unknown = FolderUsage(limit: 100)
        unknown.subtract(10)
        #expect(unknown.byteCount == nil)
    }
}
