// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernTransfers
import TestSupport
import Testing

/// One download of as many calls as it needs, from a server that changes, lies and breaks, with crashes between any two
/// events.
struct DownloadRun {
    struct Crash: Error {}

    var generator: SeededGenerator
    var disk = SimulatedDisk()
    var server: SimulatedServer
    var isHonest = false
    var callCount = 0
    /// The maximum number of workers at the same time.
    var workerCount = 0
    /// The bytes that this call has received of the present representation.
    var received = ByteRangeSet()
    /// The content of the file when the synchronization in progress began; `nil` if none is in progress.
    var syncing: [UInt8]?
    let note: String

    private let maximumRequestCount: Int

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - seed: The seed of all choices.
    ///   - maximumRequestCount: The maximum number of requests at the same time. If it is more than 1, each call draws
    ///     its own number.
    init(seed: UInt64, maximumRequestCount: Int) {
        self.generator = SeededGenerator(seed: seed)
        self.server = SimulatedServer(using: &self.generator)
        self.maximumRequestCount = maximumRequestCount
        self.note = "seed \(seed), up to \(maximumRequestCount) requests"
    }

    mutating func happens(_ oneIn: Int) -> Bool {
        !self.isHonest && Int.random(in: 0..<oneIn, using: &self.generator) == 0
    }

    mutating func mayCrash() throws(Crash) {
        self.disk.check(self.server, self.note)
        guard self.happens(40 * self.maximumRequestCount) else { return }
        self.disk.crash(using: &self.generator)
        self.disk.check(self.server, "\(self.note), after a crash")
        throw Crash()
    }

    /// Performs one call, as its driver does.
    mutating func call() throws(Crash) -> DownloadOutcome {
        self.callCount += 1
        (self.received, self.syncing) = (ByteRangeSet(), nil)
        var machine = DownloadStateMachine(
            source: Samples.source,
            fileName: Samples.fileName,
            stored: self.disk.stored,
            found: self.disk.found,
            policy: ResumptionPolicy(maximumAttemptCount: 4),
            syncInterval: Int64.random(in: 1...100, using: &self.generator),
            maximumRequestCount: Int.random(in: 1...self.maximumRequestCount, using: &self.generator),
            pieces: PieceLength(minimum: Int64.random(in: 1...40, using: &self.generator), maximum: 60)
        )
        var step = machine.start()
        var answer = SimulatedServer.Answer(status: 0, fields: [:])
        while true {
            try self.mayCrash()
            switch step {
            case .end(let outcome): return outcome
            case .perform(let action):
                if self.happens(100) {
                    step = machine.fileFailed()
                    continue
                }
                self.disk.perform(action)
                try self.mayCrash()
                if case .checkDigest = action {
                    step = machine.digestChecked(matches: true)
                } else {
                    step = machine.performed()
                }
            case .work(let first):
                if case .receive(let reception) = first { self.begin(reception, &machine) }
                try self.work(first, &answer, &machine)
                let before = machine.progress
                step = machine.workersLeft()
                self.compare(before, machine.progress, step)
            }
        }
    }

    private mutating func begin(_ reception: Reception, _ machine: inout DownloadStateMachine) {
        if reception.offset == 0 { self.received = ByteRangeSet() }
        self.syncing = nil
        self.disk.open()
        machine.fileNumber = 7
    }

    /// Checks that progress does not go back unless the resource has changed.
    private func compare(_ before: DownloadProgress, _ after: DownloadProgress, _ step: DownloadStep) {
        guard after.completedByteCount < before.completedByteCount else { return }
        #expect(after.completedByteCount == 0, "\(self.note)")
        if let reception = step.reception {
            #expect(reception.restart?.isResourceChange == true, "\(self.note)")
        }
    }

    // MARK: Bodies

    /// Writes bytes, which must not have been received before.
    mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) {
        let range = offset..<offset + Int64(bytes.count)
        #expect(self.received.gaps(in: range) == [range], "\(self.note): bytes \(range) come twice")
        self.received.insert(range)
        self.disk.write(Array(bytes), at: offset)
    }

    mutating func beginSynchronization() {
        #expect(self.syncing == nil, "\(self.note)")
        self.syncing = self.disk.content
    }

    /// Ends the synchronization in progress, or not yet.
    mutating func maySynchronize(_ machine: inout DownloadStateMachine) throws(Crash) {
        guard let content = self.syncing, Bool.random(using: &self.generator) else { return }
        self.syncing = nil
        self.disk.synchronize(content)
        for action in machine.synced() {
            try self.mayCrash()
            self.disk.perform(action)
        }
    }
}
