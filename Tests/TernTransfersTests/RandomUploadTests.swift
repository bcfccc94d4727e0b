// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernRetry
import TernTransfers
import TestSupport
import Testing

/// Runs uploads against servers that follow the rules, over connections that break, with restarts of the server and
/// crashes of the client between any two events.
@Suite("UploadStateMachine: random events")
struct RandomUploadTests {
    private static let policy = ResumptionPolicy(
        maximumAttemptCount: 6,
        backoff: Backoff(initialDelay: .zero, jitter: .none)
    )

    private static func file(using generator: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...300, using: &generator)).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ 7) }
    }

    private static func configuration(
        _ uploadProtocol: UploadProtocol,
        _ file: [UInt8],
        isSplit: Bool,
        using generator: inout SeededGenerator
    ) -> UploadConfiguration {
        let isChecked = Int.random(in: 0..<3, using: &generator) == 0
        return UploadSamples.configuration(
            uploadProtocol,
            file: UploadSamples.identity(Int64(file.count)),
            isRepeatable: Bool.random(using: &generator),
            part: isSplit ? Int64.random(in: 1...100, using: &generator) : nil,
            policy: self.policy,
            tus: TusOptions(
                createsWithContent: Bool.random(using: &generator),
                checksum: isChecked ? .sha1 : nil
            )
        )
    }

    /// Runs an upload to its end, and checks what the resource has processed.
    private static func finish(_ run: inout UploadRun<some SimulatedUploadServer>) {
        while true {
            // In the end, no connection breaks and no process crashes.
            if run.callCount == 30 { run.isHonest = true }
            guard run.callCount < 40 else {
                Issue.record("\(run.note) does not end")
                return
            }
            switch try? run.call() {
            case .answered(let answer)?:
                // A refusal of a plain upload is an answer, too.
                guard run.server.store.processed.isEmpty, answer == .plain else { break }
                continue
            case .completedWithoutAnswer?: break
            case .failed?, .cancelled?, nil: continue
            }
            break
        }
        let processed = run.server.store.processed
        #expect(!processed.isEmpty && processed.allSatisfy { $0 == run.server.store.file }, "\(run.note)")
        #expect(run.record == nil, "\(run.note)")
        guard !run.configuration.isRepeatable else { return }
        #expect(processed.count <= run.consentCount, "\(run.note): processed again without consent")
    }

    private static func store(_ file: [UInt8], using generator: inout SeededGenerator) -> UploadStore {
        let isElsewhere = Bool.random(using: &generator)
        return UploadStore(
            file,
            prefix: isElsewhere ? "https://storage.example.net/u/" : "https://example.com/uploads/"
        )
    }

    @Test(arguments: UploadProtocol.InteropVersion.allCases, 0..<20)
    func `every upload by the draft ends whole, and is processed once`(
        _ version: UploadProtocol.InteropVersion,
        _ group: UInt64
    ) {
        for seed in (group * 25)..<(group * 25 + 25) {
            var generator = SeededGenerator(seed: seed)
            let file = Self.file(using: &generator)
            let store = Self.store(file, using: &generator)
            let server = SimulatedDraftServer(version, store, using: &generator)
            let isSplit = server.isSupported && Bool.random(using: &generator)
            let configuration = Self.configuration(.draft(version), file, isSplit: isSplit, using: &generator)
            var run = UploadRun("version \(version.rawValue), seed \(seed)", configuration, server, generator)
            Self.finish(&run)
        }
    }

    @Test(arguments: 0..<20)
    func `every upload by tus ends whole, and is processed once`(_ group: UInt64) {
        for seed in (group * 25)..<(group * 25 + 25) {
            var generator = SeededGenerator(seed: seed)
            let file = Self.file(using: &generator)
            let server = SimulatedTusServer(Self.store(file, using: &generator), using: &generator)
            let isSplit = Bool.random(using: &generator)
            let configuration = Self.configuration(.tus, file, isSplit: isSplit, using: &generator)
            var run = UploadRun("tus, seed \(seed)", configuration, server, generator)
            Self.finish(&run)
        }
    }
}
