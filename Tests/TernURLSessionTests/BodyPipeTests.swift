// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TernConnections
import TernURLLoading
import TestSupport
import Testing

@testable import TernURLSession

@Suite("Pipe of a body, decisions")
struct BodyPipeStateMachineTests {
    @Test func `a piece is taken in parts, and then there is room`() {
        var machine = BodyPipeStateMachine()
        #expect(machine.isWritable)
        #expect(!machine.isReadable)
        #expect(machine.read(10) == .wait)
        #expect(machine.write(Data("abcde".utf8)) == .stored)
        #expect(!machine.isWritable)
        #expect(machine.write(Data("f".utf8)) == .wait)
        #expect(machine.read(3) == .bytes(Data("abc".utf8)))
        #expect(machine.write(Data("f".utf8)) == .wait)
        #expect(machine.read(3) == .bytes(Data("de".utf8)))
        #expect(machine.isWritable)
        #expect(machine.write(Data("f".utf8)) == .stored)
    }

    @Test func `the end comes after the last piece`() {
        var machine = BodyPipeStateMachine()
        _ = machine.write(Data("ab".utf8))
        machine.end()
        #expect(machine.write(Data("c".utf8)) == .refused)
        #expect(machine.read(1) == .bytes(Data("a".utf8)))
        #expect(machine.read(1) == .bytes(Data("b".utf8)))
        #expect(machine.read(1) == .end)
        #expect(machine.read(1) == .end)
    }

    @Test func `a failure drops the last piece`() {
        var machine = BodyPipeStateMachine()
        _ = machine.write(Data("ab".utf8))
        machine.fail()
        #expect(machine.isReadable)
        #expect(machine.read(1) == .failed)
        machine.end()
        #expect(machine.read(1) == .failed)
    }

    @Test func `a failure after the end is one, too`() {
        var machine = BodyPipeStateMachine()
        machine.end()
        machine.fail()
        #expect(machine.read(1) == .failed)
    }

    @Test func `a closed pipe takes nothing`() {
        var machine = BodyPipeStateMachine()
        machine.close()
        #expect(machine.isWritable)
        #expect(machine.write(Data("a".utf8)) == .refused)
        machine.fail()
        #expect(machine.read(1) == .failed)
    }
}

@Suite("Pipe of a body", .hangLimit)
struct BodyPipeTests {
    /// Reads on a thread of its own, because reading blocks.
    private func readAll(_ pipe: BodyPipe, by byteCount: Int) async -> (Data, Int) {
        await DispatchQueue(label: "test").perform {
            var bytes = Data()
            var space = [UInt8](repeating: 0, count: byteCount)
            while true {
                let count = space.withUnsafeMutableBufferPointer { pipe.read(into: $0) }
                guard count > 0 else { return (bytes, count) }
                bytes.append(contentsOf: space[..<count])
            }
        }
    }

    @Test(arguments: [1, 7, 100]) func `pieces arrive in order`(_ byteCount: Int) async {
        let pipe = BodyPipe()
        async let received = self.readAll(pipe, by: byteCount)
        for piece in ["one", "two", "three"] { #expect(await pipe.write(Data(piece.utf8))) }
        await pipe.drain()
        pipe.end()
        let (bytes, last) = await received
        #expect(String(decoding: bytes, as: UTF8.self) == "onetwothree")
        #expect(last == 0)
    }

    @Test func `a failure wakes the reader`() async {
        let pipe = BodyPipe()
        async let received = self.readAll(pipe, by: 10)
        pipe.fail()
        #expect(await received.1 == -1)
    }

    @Test func `a reader that leaves wakes the writer`() async {
        let pipe = BodyPipe()
        #expect(await pipe.write(Data("one".utf8)))
        async let isWanted = pipe.write(Data("two".utf8))
        pipe.close()
        #expect(await !isWanted)
    }

    @Test func `a cancelled writer stops waiting`() async {
        let pipe = BodyPipe()
        #expect(await pipe.write(Data("one".utf8)))
        let task = Task { await pipe.write(Data("two".utf8)) }
        task.cancel()
        #expect(await !task.value)
    }
}
