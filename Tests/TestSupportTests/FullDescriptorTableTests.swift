// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("A full table of descriptors", .hangLimit)
struct FullDescriptorTableTests {
    private static func canOpen() -> Bool { FileHandle(forReadingAtPath: "/dev/null") != nil }

    @Test func `is full until it is released, also in a process that has much open`() async {
        await #expect(processExitsWith: .success) {
            let open = (0..<1000).map { _ in FileHandle(forReadingAtPath: "/dev/null") }
            #expect(!open.contains(nil))
            do {
                let table = try FullDescriptorTable()
                #expect(!Self.canOpen())
                withExtendedLifetime(table) {}
            }
            #expect(Self.canOpen())
            withExtendedLifetime(open) {}
        }
    }
}
