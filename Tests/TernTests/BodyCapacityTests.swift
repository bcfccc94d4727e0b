// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tern

@Suite("BodyRoom")
struct BodyCapacityTests {
    @Test func `no more is reserved than twice what has come, nor than was announced`() {
        var room = BodyCapacity(announced: 100)
        #expect(room.grow(toHold: 10) == 20)
        #expect(room.grow(toHold: 20) == nil)
        #expect(room.grow(toHold: 21) == 42)
        #expect(room.grow(toHold: 60) == 100)
        #expect(room.grow(toHold: 100) == nil)
    }

    @Test func `a body that is longer than announced has room`() {
        var room = BodyCapacity(announced: 10)
        #expect(room.grow(toHold: 30) == 30)
    }

    @Test func `the largest length reserves no more`() {
        var room = BodyCapacity(announced: .max)
        #expect(room.grow(toHold: 1) == 2)
        #expect(room.grow(toHold: .max) == .max)
    }

    @Test func `a body whose length is not announced grows by itself`() {
        var room = BodyCapacity(announced: nil)
        #expect(room.grow(toHold: 1000) == nil)
    }
}
