// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRetry
import TernTransfers
import TestSupport
import Testing

/// A machine with a generator, and shorter names for its events.
///
/// Without the number of a worker, an event is that of the only worker, which then leaves.
struct Call {
    /// Waits 1, 2, 4, … seconds.
    static let policy = ResumptionPolicy(
        maximumAttemptCount: 3,
        backoff: Backoff(initialDelay: .seconds(1), jitter: .none)
    )

    var machine: DownloadStateMachine
    var generator = SeededGenerator(seed: 1)
    /// The places in the bodies that the workers receive, by the numbers of the workers.
    private(set) var positions: [Int: BodyPosition] = [:]

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

    // MARK: Events of the only worker

    mutating func head(_ status: Int, _ fields: HTTPFields = [:]) -> DownloadStep {
        self.left(self.head(status, fields, by: 0))
    }

    mutating func ended(trailers: HTTPFields? = nil) -> DownloadStep {
        self.left(self.ended(trailers: trailers, by: 0))
    }

    mutating func cut(_ error: ClientError = Samples.reset) -> DownloadStep {
        self.left(self.cut(error, by: 0))
    }

    /// Receives a piece with which the body is longer than the server announced.
    mutating func exceed(_ byteCount: Int) -> DownloadStep {
        #expect(self.write(byteCount) == nil)
        return self.left(.leave)
    }

    private mutating func left(_ step: WorkerStep) -> DownloadStep {
        #expect(step == .leave)
        return self.workersLeft()
    }

    // MARK: Events of a worker

    mutating func head(_ status: Int, _ fields: HTTPFields = [:], by number: Int) -> WorkerStep {
        let step = self.machine.received(
            status: status,
            fields: fields,
            now: Samples.now,
            by: number,
            using: &self.generator
        )
        if case .receive(let reception) = step { self.positions[number] = BodyPosition(reception) }
        return step
    }

    /// Answers a worker's request for 100 bytes.
    mutating func answer(_ first: Int, _ last: Int? = nil, length: Int = 1000, of number: Int) -> WorkerStep {
        self.head(206, Samples.part("bytes \(first)-\(last ?? first + 99)/\(length)"), by: number)
    }

    mutating func ended(trailers: HTTPFields? = nil, by number: Int) -> WorkerStep {
        let end = self.positions[number]?.offset ?? 0
        return self.machine.bodyEnded(at: end, trailers: trailers, by: number, using: &self.generator)
    }

    mutating func cut(_ error: ClientError = Samples.reset, by number: Int) -> WorkerStep {
        self.machine.cut(by: error, by: number, using: &self.generator)
    }

    /// Writes bytes; returns whether a synchronization begins, or `nil` if the worker has left.
    mutating func write(_ byteCount: Int, by number: Int = 0, isDue: Bool = false) -> Bool? {
        guard let range = self.positions[number]?.next(byteCount: byteCount) else {
            #expect(self.machine.bodyTooLong(by: number) == .leave)
            return nil
        }
        switch self.machine.wrote(range, by: number, isDue: isDue) {
        case .receive: return false
        case .synchronize: return true
        case .leave: return nil
        }
    }

    mutating func workersLeft() -> DownloadStep { self.noted(self.machine.workersLeft()) }

    // MARK: Actions

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
        return (steps, self.noted(step))
    }

    /// Performs actions; returns the step that follows.
    mutating func after(_ step: DownloadStep) -> DownloadStep { self.perform(step).1 }

    /// Notes the body that worker 0 receives, if a step begins with one.
    private mutating func noted(_ step: DownloadStep) -> DownloadStep {
        if let reception = step.reception { self.positions = [0: BodyPosition(reception)] }
        return step
    }
}

extension DownloadStep {
    /// A worker sends a request.
    static func send(_ request: PartRequest, after delay: Duration) -> DownloadStep {
        .work(.send(request, after: delay))
    }

    /// The request, if the step sends one.
    var request: PartRequest? { if case .work(.send(let request, _)) = self { request } else { nil } }

    /// The reception, if the step receives a body.
    var reception: Reception? { if case .work(.receive(let reception)) = self { reception } else { nil } }

    /// The failure, if the step is the end of a call that failed.
    var failure: DownloadFailure? { if case .end(.failed(let failure)) = self { failure } else { nil } }
}

extension WorkerStep {
    /// Whether the worker receives a body.
    var isReceiving: Bool { if case .receive = self { true } else { false } }
}
