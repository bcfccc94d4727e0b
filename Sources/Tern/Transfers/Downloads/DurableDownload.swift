// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernErrors
import TernFiles
import TernFoundation
import TernRequests
import TernTransfers
import TernTransport

/// Performs the steps of a ``DownloadStateMachine``: lets workers receive bytes, and then performs the actions on the files.
struct DurableDownload: Sendable {
    private let destination: URL
    private let keptByteCount: Int
    private let shared: SharedDownload

    /// The response that the machine decides about, or whose body was being read.
    private var reply: HTTPReply?
    /// The error of the call, if it ends now: the last failure of an exchange or of the file.
    private var failure: ClientError?
    private var cause: RetryCause?
    private var resumedByteCount: Int64 = 0
    private var restart: DownloadRestart?

    /// Opens the partial file; tests pass a `syncInterval` and shorter `pieces`.
    init(
        _ call: HTTPCall,
        to destination: URL,
        resuming policy: ResumptionPolicy,
        expecting digest: TransferDigest?,
        stages: NextStages,
        keptByteCount: Int,
        maximumRequestCount: Int = 1,
        hooks: TransferHooks? = nil,
        syncInterval: Int64 = DownloadStateMachine.defaultSyncInterval,
        pieces: PieceLength = PieceLength()
    ) async throws(ClientError) {
        let file: PartialFile
        do throws(FileFailure) {
            file = try await PartialFile.open(for: destination)
        } catch {
            throw .fileFailed(error, call.context(.prepare))
        }
        var machine = DownloadStateMachine(
            source: TransferResource(call.destination),
            fileName: file.names.partial,
            stored: file.stored,
            found: file.found,
            expecting: digest,
            policy: policy,
            syncInterval: syncInterval,
            maximumRequestCount: maximumRequestCount,
            pieces: pieces
        )
        machine.confirms = hooks != nil
        self.destination = destination
        self.keptByteCount = keptByteCount
        self.shared = SharedDownload(call, machine, PartialFileWriter(file), stages: stages, hooks: hooks)
    }

    var writer: PartialFileWriter { self.shared.writer }

    mutating func run() async throws(ClientError) -> ResumedDownload {
        let number = self.writer.file.number
        var step = self.shared.record { machine in
            let step = machine.start()
            machine.fileNumber = number
            return step
        }
        self.resumedByteCount = self.shared.progress.completedByteCount
        while true {
            switch step {
            case .perform(let action): step = await self.perform(action)
            case .work(let first): step = await self.work(first)
            case .end(let outcome):
                let result = await self.result(of: outcome)
                self.reply?.body.discard()
                await self.writer.finish()
                return try result.get()
            }
        }
    }

    // MARK: Workers

    /// Lets workers request and receive bytes, and returns the step that follows when all have left.
    private mutating func work(_ first: WorkerStep) async -> DownloadStep {
        guard case .receive(let reception) = first else {
            await self.runWorkers(first, because: self.cause)
            return self.shared.record { $0.workersLeft() }
        }
        self.shared.begin(self.reply?.response)
        if let reason = reception.restart {
            self.restart = DownloadRestart(reason)
            self.resumedByteCount = 0
        }
        await self.runWorkers(first)
        do throws(FileWriter.Failure) {
            try await self.shared.settle()
        } catch {
            return self.fileFailed(error)
        }
        return self.shared.record { $0.workersLeft() }
    }

    /// Runs one worker in this task, or several in child tasks, and keeps the remains of the one that makes all leave.
    private mutating func runWorkers(_ first: WorkerStep, because cause: RetryCause? = nil) async {
        let reply = self.reply
        self.reply = nil
        let remains: DownloadWorker.Remains?
        if let second = self.shared.addWorker() {
            remains = await Self.run(first, reply, beside: second, self.shared)
        } else {
            var worker = DownloadWorker(0, of: self.shared, isDivided: false, reply, because: cause)
            remains = await worker.run(first)
        }
        guard let remains else { return }
        self.reply = remains.reply
        self.failure = remains.error
        self.cause = remains.cause
    }

    private static func run(
        _ first: WorkerStep,
        _ reply: HTTPReply?,
        beside second: (number: Int, step: WorkerStep),
        _ shared: SharedDownload
    ) async -> DownloadWorker.Remains? {
        await withTaskGroup(of: DownloadWorker.Remains?.self) { group in
            group.addTask {
                var worker = DownloadWorker(0, of: shared, isDivided: true, reply)
                return await worker.run(first)
            }
            var next: (number: Int, step: WorkerStep)? = second
            while let (number, step) = next {
                group.addTask {
                    var worker = DownloadWorker(number, of: shared, isDivided: true)
                    return await worker.run(step)
                }
                next = shared.addWorker()
            }
            var remains: [DownloadWorker.Remains] = []
            for await left in group {
                if let left { remains.append(left) }
                if shared.isEnding { group.cancelAll() }
            }
            // Two workers may have made all workers leave, if the body of the second one was damaged.
            let number = shared.endingNumber
            for other in remains where other.number != number { other.reply?.body.discard() }
            return remains.first { $0.number == number }
        }
    }

    // MARK: Files

    private mutating func perform(_ step: FileStep) async -> DownloadStep {
        do throws(FileWriter.Failure) {
            if case .checkDigest(let digest) = step {
                let matches = try await self.writer.matches(digest)
                return self.shared.record { $0.digestChecked(matches: matches) }
            }
            if let failure = self.refusal(of: step) {
                self.failure = failure
                return self.shared.record { $0.fileFailed() }
            }
            if case .confirm = step {
                try await self.confirm()
            } else {
                try await self.writer.perform(step)
            }
            return self.shared.record { $0.performed() }
        } catch {
            return self.fileFailed(error)
        }
    }

    private func refusal(of step: FileStep) -> ClientError? {
        let call = self.shared.call
        guard case .reserve(let byteCount) = step, let limit = call.request.options.maximumBodyByteCount,
            byteCount > limit
        else { return nil }
        return self.reply?.tooLarge(limit, call)
    }

    private func confirm() async throws(FileWriter.Failure) {
        do throws(FileFailure) {
            try await self.shared.hooks?.confirm(self.shared.progress.completedByteCount)
        } catch {
            throw .file(error)
        }
    }

    private mutating func fileFailed(_ failure: FileWriter.Failure) -> DownloadStep {
        let context = self.shared.call.context(.store, response: self.reply?.response.httpResponse)
        switch failure {
        case .cancelled: self.failure = .cancelled(context)
        case .file(let reason): self.failure = .fileFailed(reason, context)
        }
        return self.shared.record { $0.fileFailed() }
    }

    // MARK: The result

    private func result(of outcome: DownloadOutcome) async -> Result<ResumedDownload, ClientError> {
        switch outcome {
        case .complete(let byteCount):
            let download = ResumedDownload(
                location: self.destination,
                byteCount: byteCount,
                resumedByteCount: self.resumedByteCount,
                restart: self.restart,
                concurrentRequestCount: self.shared.concurrentRequestCount,
                response: self.shared.response
            )
            return .success(download)
        case .failed(let reason):
            let call = self.shared.call
            return .failure(await reason.error(call, self.reply, self.failure, keptByteCount: self.keptByteCount))
        }
    }
}
