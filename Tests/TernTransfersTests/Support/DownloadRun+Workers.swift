// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransfers
import TestSupport
import Testing

extension DownloadRun {
    /// A worker, and the answer that it receives.
    private struct Worker {
        var number: Int
        var step: WorkerStep
        var answer: SimulatedServer.Answer
        /// The position in the body of the answer.
        var position = 0
    }

    /// Lets several workers receive ranges, in any order, until all have left.
    ///
    /// - Returns: The next step of the call, and the answer with the whole resource that ended the work, if one did.
    mutating func work(
        _ reception: Reception,
        _ answer: SimulatedServer.Answer,
        _ machine: inout DownloadStateMachine
    ) throws(Crash) -> (DownloadStep, SimulatedServer.Answer?) {
        var workers = [Worker(number: 0, step: .receive(reception), answer: answer)]
        while let (number, step) = machine.addWorker() {
            workers.append(Worker(number: number, step: step, answer: answer))
        }
        #expect(workers.count >= 2, "\(self.note)")
        var whole: SimulatedServer.Answer?
        while let index = workers.indices.randomElement(using: &self.generator) {
            try self.mayCrash()
            let (wasEnding, before) = (machine.isEnding, machine.progress.completedByteCount)
            try self.advance(&workers[index], &machine)
            #expect(machine.progress.completedByteCount >= before, "\(self.note)")
            try self.maySynchronize(&machine)
            guard case .leave = workers[index].step else { continue }
            if machine.isEnding, !wasEnding { whole = workers[index].answer }
            workers.remove(at: index)
            #expect(machine.workerCount == workers.count, "\(self.note)")
        }
        // The driver waits for the synchronization in progress.
        while self.syncing != nil { try self.maySynchronize(&machine) }
        let step = machine.workersLeft()
        return (step, whole)
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
            if self.happens(20) { self.server.change(using: &self.generator) }
            if self.happens(15) {
                let error = Bool.random(using: &self.generator) ? Samples.reset : Samples.refused
                worker.step = machine.cut(by: error, by: number, using: &self.generator)
                return
            }
            let answer = self.server.answer(request, isHonest: self.isHonest, using: &self.generator)
            (worker.answer, worker.position) = (answer, 0)
            worker.step = machine.received(
                status: answer.status,
                fields: answer.fields,
                now: Samples.now,
                by: number,
                using: &self.generator
            )
        case .receive:
            let answer = worker.answer
            let piece = answer.body[worker.position...].prefix(Int.random(in: 1...40, using: &self.generator))
            worker.position += piece.count
            if piece.isEmpty {
                worker.step = self.end(answer, number, &machine)
                return
            }
            guard let offset = machine.arrived(byteCount: piece.count, by: number) else {
                worker.step = .leave
                return
            }
            self.write(piece, at: offset)
            try self.mayCrash()
            if self.happens(200) {
                machine.fileFailed(by: number)
                worker.step = .leave
                return
            }
            if machine.wrote(byteCount: piece.count, by: number) { self.beginSynchronization() }
        }
    }

    private mutating func end(
        _ answer: SimulatedServer.Answer,
        _ number: Int,
        _ machine: inout DownloadStateMachine
    ) -> WorkerStep {
        if answer.isCut { return machine.cut(by: Samples.reset, by: number, using: &self.generator) }
        if self.happens(40) { return machine.cut(by: Samples.cancelled, by: number, using: &self.generator) }
        return machine.bodyEnded(trailers: nil, by: number, using: &self.generator)
    }
}
