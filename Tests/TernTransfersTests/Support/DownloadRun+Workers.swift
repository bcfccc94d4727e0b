// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransfers
import TestSupport
import Testing

extension DownloadRun {
    /// A worker, and the answer that it receives.
    private struct Worker {
        let number: Int
        var step: WorkerStep
        var answer: SimulatedServer.Answer
        /// The position in the body of the answer.
        var sentByteCount = 0
        /// The place in the file; `nil` before the first piece of an answer.
        var position: BodyPosition?
    }

    /// Lets one worker, or several in any order, perform their steps until all have left.
    ///
    /// - Parameters:
    ///   - first: The first step of worker 0.
    ///   - answer: The answer that worker 0 receives; and then that of the worker that made all workers leave.
    ///   - machine: The machine.
    /// - Throws: `Crash` when the process ends.
    mutating func work(
        _ first: WorkerStep,
        _ answer: inout SimulatedServer.Answer,
        _ machine: inout DownloadStateMachine
    ) throws(Crash) {
        var workers = [Worker(number: 0, step: first, answer: answer)]
        while let (number, step) = machine.addWorker() {
            workers.append(Worker(number: number, step: step, answer: answer))
        }
        self.workerCount = max(self.workerCount, workers.count)
        while let index = workers.indices.randomElement(using: &self.generator) {
            try self.mayCrash()
            let (wasEnding, before) = (machine.isEnding, machine.progress.completedByteCount)
            try self.advance(&workers[index], &machine)
            #expect(machine.progress.completedByteCount >= before, "\(self.note)")
            try self.maySynchronize(&machine)
            guard case .leave = workers[index].step else { continue }
            if machine.isEnding, !wasEnding { answer = workers[index].answer }
            workers.remove(at: index)
            #expect(machine.workerCount == workers.count, "\(self.note)")
        }
        // The driver waits for the synchronization in progress.
        while self.syncing != nil { try self.maySynchronize(&machine) }
    }

    /// Performs a part of a worker's step.
    private mutating func advance(_ worker: inout Worker, _ machine: inout DownloadStateMachine) throws(Crash) {
        let number = worker.number
        if machine.isEnding, Bool.random(using: &self.generator) {
            worker.step = machine.cut(by: Samples.cancelled, by: number, using: &self.generator)
            return
        }
        switch worker.step {
        case .leave: break
        case .send(let request, _):
            if self.happens(15) { self.server.change(using: &self.generator) }
            if self.happens(15) {
                let error = Bool.random(using: &self.generator) ? Samples.reset : Samples.refused
                worker.step = machine.cut(by: error, by: number, using: &self.generator)
                return
            }
            let answer = self.server.answer(request, isHonest: self.isHonest, using: &self.generator)
            (worker.answer, worker.sentByteCount, worker.position) = (answer, 0, nil)
            worker.step = machine.received(
                status: answer.status,
                fields: answer.fields,
                now: Samples.now,
                by: number,
                using: &self.generator
            )
        case .receive(let reception):
            var position = worker.position ?? BodyPosition(reception)
            let answer = worker.answer
            let piece = answer.body[worker.sentByteCount...].prefix(Int.random(in: 1...40, using: &self.generator))
            worker.sentByteCount += piece.count
            guard !piece.isEmpty else {
                worker.step = self.end(answer, at: position.offset, number, &machine)
                return
            }
            guard let range = position.next(byteCount: piece.count) else {
                worker.step = machine.bodyTooLong(by: number)
                return
            }
            worker.position = position
            self.write(piece, at: range.lowerBound)
            try self.mayCrash()
            if self.happens(200) {
                worker.step = machine.writeFailed(by: number)
                return
            }
            switch machine.wrote(range, by: number) {
            case .receive: break
            case .synchronize: self.beginSynchronization()
            case .leave: worker.step = .leave
            }
        }
    }

    private mutating func end(
        _ answer: SimulatedServer.Answer,
        at end: Int64,
        _ number: Int,
        _ machine: inout DownloadStateMachine
    ) -> WorkerStep {
        if answer.isCut { return machine.cut(by: Samples.reset, by: number, using: &self.generator) }
        if self.happens(30) { return machine.cut(by: Samples.cancelled, by: number, using: &self.generator) }
        return machine.bodyEnded(at: end, trailers: nil, by: number, using: &self.generator)
    }
}
