// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Passes the URL of a folder that does not exist yet to a closure, and deletes the folder afterwards.
public func withAbsentFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let name = "tern-test-\(UInt64.random(in: .min ... .max))"
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
