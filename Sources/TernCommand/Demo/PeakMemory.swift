// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Measures how far the memory of this process grows, on Linux.
enum PeakMemory {
    /// Does something, and measures by how much the memory grew meanwhile at most.
    ///
    /// - Parameter body: what to do.
    /// - Returns: what `body` gave, and the growth in bytes; `nil` where it is not measured.
    /// - Throws: whatever `body` throws.
    static func growth<Value>(during body: () async throws -> Value) async throws -> (Value, growth: Int64?) {
        // Writing 5 there resets the peak to what is in use now; see proc(5).
        let isReset = (try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))) != nil
        let before = Self.value(of: "VmRSS")
        let value = try await body()
        guard isReset, let before, let peak = Self.value(of: "VmHWM") else { return (value, nil) }
        return (value, max(0, peak - before))
    }

    /// A growth as text.
    static func text(_ growth: Int64?) -> String {
        growth.map { "\(Figures.bytes($0)) of memory at most" } ?? "memory not measured on this system"
    }

    private static func value(of name: String) -> Int64? {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/self/status")) else { return nil }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("\(name):") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int64($0) }.map { $0 * 1024 }
    }
}
