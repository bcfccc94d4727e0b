// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRetry
import TernTransfers
import TestSupport

/// A machine with a generator, and shorter names for its events.
struct Call {
    /// Waits 1, 2, 4, … seconds.
    static let policy = ResumptionPolicy(
        maximumAttemptCount: 3,
        backoff: Backoff(initialDelay: .seconds(1), jitter: .none)
    )

    var machine: DownloadStateMachine
    var generator = SeededGenerator(seed: 1)

    init(
        _ stored: StoredRecord = .absent,
        _ found: FoundFiles = FoundFiles(),
        expecting digest: TransferDigest? = nil,
        policy: ResumptionPolicy = Self.policy,
        source: TransferResource = Samples.source,
        syncInterval: Int64 = 100,
        maximumRequestCount: Int = 1,
        pieces: PieceLength = PieceLength(minimum: 100, maximum: 100)
    ) {
        self.machine = DownloadStateMachine(
            source: source,
            fileName: Samples.fileName,
            stored: stored,
            found: found,
            expecting: digest,
            policy: policy,
            syncInterval: syncInterval,
            maximumRequestCount: maximumRequestCount,
            pieces: pieces
        )
    }

    /// A call that has begun to continue a file with 400 of 1000 bytes.
    static func continued(
        _ record: DownloadRecord = Samples.record(),
        fileByteCount: Int64 = 400,
        expecting digest: TransferDigest? = nil,
        policy: ResumptionPolicy = Self.policy,
        syncInterval: Int64 = 100
    ) -> Call {
        let found = FoundFiles(partialByteCount: fileByteCount, partialNumber: record.fileNumber)
        var call = Call(.usable(record), found, expecting: digest, policy: policy, syncInterval: syncInterval)
        _ = call.machine.start()
        return call
    }

    mutating func start() -> DownloadStep { self.machine.start() }

    mutating func head(_ status: Int, _ fields: HTTPFields = [:]) -> DownloadStep {
        self.machine.received(status: status, fields: fields, now: Samples.now, using: &self.generator)
    }

    mutating func ended(trailers: HTTPFields? = nil) -> DownloadStep {
        self.machine.bodyEnded(trailers: trailers, using: &self.generator)
    }

    mutating func cut(_ error: ClientError = Samples.reset) -> DownloadStep {
        self.machine.cut(by: error, using: &self.generator)
    }

    /// Writes bytes; returns whether a synchronization begins, or `nil` if they were refused.
    mutating func write(_ byteCount: Int) -> Bool? {
        guard case .write = self.machine.arrived(byteCount: byteCount) else { return nil }
        return self.machine.wrote(byteCount: byteCount)
    }

    /// Performs actions on the files until another step follows; returns the actions and that step.
    mutating func perform(_ step: DownloadStep, digestMatches: Bool = true) -> ([FileStep], DownloadStep) {
        var (step, steps) = (step, [FileStep]())
        while case .perform(let action) = step {
            steps.append(action)
            if case .checkDigest = action {
                step = self.machine.digestChecked(matches: digestMatches)
            } else {
                step = self.machine.performed()
            }
        }
        return (steps, step)
    }

    /// Performs actions; returns the step that follows.
    mutating func after(_ step: DownloadStep) -> DownloadStep { self.perform(step).1 }
}

extension DownloadStep {
    /// The request, if the step sends one.
    var request: PartRequest? { if case .send(let request, _) = self { request } else { nil } }

    /// The reception, if the step receives a body.
    var reception: Reception? { if case .receive(let reception) = self { reception } else { nil } }

    /// The failure, if the step is the end of a call that failed.
    var failure: DownloadFailure? { if case .end(.failed(let failure)) = self { failure } else { nil } }
}
