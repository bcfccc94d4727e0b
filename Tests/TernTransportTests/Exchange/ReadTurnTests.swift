// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TernTesting
@_spi(CrossModuleInlining) import TernTransport
import Testing

@Suite("The turn to read a body")
struct ReadTurnTests {
    /// The progress of a reader, which records its release.
    private struct Progress: ~Copyable {
        var count: Int
        let released: Observed<Int>

        deinit { self.released.update { $0 += 1 } }
    }

    private let released = Observed(0)
    private let call: HTTPCall

    init() throws {
        let request = Request(.get, "http://example.com/")
        self.call = HTTPCall(request, to: try request.destination(), timeouts: Timeouts(), clock: ManualClock())
    }

    /// Returns the number that the next reader finds and increments; `nil` after the end.
    private func read(_ turn: borrowing ReadTurn<Progress>) throws(ClientError) -> Int? {
        guard var progress = try turn.take(self.call) else { return nil }
        let count = progress.count
        progress.count += 1
        turn.giveBack(progress)
        return count
    }

    @Test func `reading goes on where the last reader stopped`() throws {
        let turn = ReadTurn(Progress(count: 1, released: self.released))
        let counts = [try self.read(turn), try self.read(turn), try self.read(turn)]
        #expect(counts == [1, 2, 3])
        #expect(self.released.value == 0)
    }

    @Test func `while one reads, another is refused, and the first goes on`() throws {
        let turn = ReadTurn(Progress(count: 1, released: self.released))
        guard let progress = try turn.take(self.call) else {
            Issue.record("the end")
            return
        }
        for _ in 1...2 {
            do throws(ClientError) {
                _ = try self.read(turn)
                Issue.record("two read")
            } catch {
                guard case .bodyMisused(.concurrentReads, let context) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(context.phase == .body)
            }
        }
        turn.giveBack(progress)
        let count = try self.read(turn)
        #expect(count == 1)
    }

    @Test func `after the end there is nothing, and nothing is held`() throws {
        let turn = ReadTurn(Progress(count: 1, released: self.released))
        turn.end()
        #expect(self.released.value == 1)
        let counts = [try self.read(turn), try self.read(turn)]
        #expect(counts == [nil, nil])
    }

    @Test func `who has the turn may end it`() throws {
        let turn = ReadTurn(Progress(count: 1, released: self.released))
        do {
            guard let progress = try turn.take(self.call) else { return }
            #expect(progress.count == 1)
            turn.end()
        }
        #expect(self.released.value == 1)
        let count = try self.read(turn)
        #expect(count == nil)
    }

    private func misuse(_ turn: borrowing ReadTurn<Progress>) -> BodyFailure? {
        do throws(ClientError) {
            _ = try self.read(turn)
            return nil
        } catch {
            guard case .bodyMisused(let misuse, _) = error else { return nil }
            return misuse
        }
    }

    @Test func `what is discarded is handed over, and each later read says so`() {
        let turn = ReadTurn(Progress(count: 7, released: self.released))
        do {
            guard let progress = turn.discard() else {
                Issue.record("nothing was handed over")
                return
            }
            #expect(progress.count == 7)
        }
        #expect(self.released.value == 1)
        let misuses = [self.misuse(turn), self.misuse(turn)]
        #expect(misuses == [.discarded, .discarded])
        let isOver = turn.discard() == nil
        #expect(isOver)
    }

    @Test(arguments: [true, false])
    func `what is discarded while a task reads is released when it has read`(endsWithGivingBack: Bool) throws {
        let turn = ReadTurn(Progress(count: 1, released: self.released))
        do {
            guard let progress = try turn.take(self.call) else {
                Issue.record("the end")
                return
            }
            let isTaken = turn.discard() == nil
            #expect(isTaken)
            #expect(self.released.value == 0)
            if endsWithGivingBack {
                turn.giveBack(progress)
            } else {
                #expect(progress.count == 1)
                let isDiscarded = turn.end()
                #expect(isDiscarded)
            }
        }
        #expect(self.released.value == 1)
        let misuse = self.misuse(turn)
        #expect(misuse == .discarded)
    }

    @Test func `a discard that spares readers leaves the turn to the task that has it`() throws {
        let turn = ReadTurn(Progress(count: 1, released: self.released))
        guard let progress = try turn.take(self.call) else {
            Issue.record("the end")
            return
        }
        let isSpared = turn.discard(isForced: false) == nil
        #expect(isSpared)
        turn.giveBack(progress)
        let count = try self.read(turn)
        #expect(count == 1)
        let isDiscarded = turn.discard(isForced: false) != nil
        #expect(isDiscarded)
    }

    @Test func `a discard after the end changes nothing`() throws {
        let turn = ReadTurn(Progress(count: 1, released: self.released))
        let wasDiscarded = turn.end()
        let isNothing = turn.discard() == nil
        #expect(!wasDiscarded && isNothing)
        let count = try self.read(turn)
        #expect(count == nil)
    }
}
