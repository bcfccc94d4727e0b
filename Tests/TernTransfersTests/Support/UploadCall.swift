// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernRequests
import TernTransfers
import TestSupport

/// A machine of an upload with a generator, and shorter names for its events.
struct UploadCall {
    var machine: UploadStateMachine
    let version: HTTPFields
    private var generator = SeededGenerator(seed: 1)

    init(_ configuration: UploadConfiguration = UploadSamples.configuration(), _ stored: StoredUpload = .absent) {
        self.machine = UploadStateMachine(configuration, stored: stored)
        switch configuration.uploadProtocol {
        case .draft(let version): self.version = [.uploadDraftInteropVersion: String(version.rawValue)]
        case .tus: self.version = [.tusResumable: "1.0.0"]
        }
    }

    /// A call that has begun to create an upload, whose URL the server has named in a 104.
    static func offered(_ configuration: UploadConfiguration = UploadSamples.configuration()) -> UploadCall {
        var call = UploadCall(configuration)
        _ = call.start()
        _ = call.informed([.location: "/uploads/abc"])
        return call
    }

    /// A call that has begun with a record of 400 bytes, and asks for the offset.
    static func continued(
        _ configuration: UploadConfiguration = UploadSamples.configuration(),
        _ record: UploadRecord? = nil
    ) -> UploadCall {
        let stored = record ?? UploadSamples.record(configuration.uploadProtocol, file: configuration.file)
        var call = UploadCall(configuration, .usable(stored))
        _ = call.start()
        return call
    }

    /// A call that has begun with a record of 400 bytes, and sends those after an offset.
    static func appending(
        from offset: Int64 = 400,
        _ configuration: UploadConfiguration = UploadSamples.configuration()
    ) -> UploadCall {
        var call = UploadCall.continued(configuration)
        _ = call.after(call.head(200, [.uploadOffset: "\(offset)"]))
        return call
    }

    // MARK: Events

    mutating func start() -> UploadStep { self.machine.start(now: Samples.now) }

    /// Reports a final response that speaks the version of the configuration.
    mutating func head(
        _ status: Int,
        _ fields: HTTPFields = [:],
        _ problem: UploadProblem? = nil,
        from url: URL = UploadSamples.target
    ) -> UploadStep {
        self.plainHead(status, Samples.merged(self.version, fields), problem, from: url)
    }

    /// Reports a final response.
    mutating func plainHead(
        _ status: Int,
        _ fields: HTTPFields = [:],
        _ problem: UploadProblem? = nil,
        from url: URL = UploadSamples.target
    ) -> UploadStep {
        let response = UploadResponse(status: status, fields: fields, url: url, problem: problem)
        return self.machine.received(response, now: Samples.now, using: &self.generator)
    }

    /// Reports a 104 that speaks the version of the configuration.
    mutating func informed(_ fields: HTTPFields, status: Int = 104, isDue: Bool = false) -> InformationalAction {
        let notice = UploadNotice(
            status: status,
            fields: Samples.merged(self.version, fields),
            url: UploadSamples.target
        )
        return self.machine.informed(notice, now: Samples.now, isDue: isDue)
    }

    mutating func cut(_ error: ClientError = Samples.reset) -> UploadStep {
        self.machine.cut(by: error, using: &self.generator)
    }

    /// Performs actions on the record until another step follows; returns the actions and that step.
    mutating func perform(_ step: UploadStep) -> ([RecordStep], UploadStep) {
        var (step, steps) = (step, [RecordStep]())
        while case .perform(let action) = step {
            steps.append(action)
            step = self.machine.performed()
        }
        return (steps, step)
    }

    /// Performs actions; returns the step that follows.
    mutating func after(_ step: UploadStep) -> UploadStep { self.perform(step).1 }
}

extension UploadStep {
    /// The request, if the step sends one.
    var request: UploadRequest? { if case .send(let request, _) = self { request } else { nil } }

    /// The time to wait, if the step sends a request.
    var delay: Duration? { if case .send(_, let delay) = self { delay } else { nil } }

    /// The outcome, if the step is the end.
    var outcome: UploadOutcome? { if case .end(let outcome) = self { outcome } else { nil } }

    /// The failure, if the step is the end of a call that failed.
    var failure: ResumableUploadFailure? { if case .end(.failed(let failure)) = self { failure } else { nil } }
}

extension InformationalAction {
    /// The actions, if the request goes on.
    var steps: [RecordStep]? { if case .proceed(let steps) = self { steps } else { nil } }

    /// The next step, if the exchange is cancelled.
    var abortion: UploadStep? { if case .abort(let step) = self { step } else { nil } }
}

extension RecordStep {
    /// A short name: `write 400` with the acknowledged bytes, and an exclamation mark if the upload may be complete.
    var name: String {
        switch self {
        case .write(let record): "write \(record.acknowledgedByteCount)\(record.mayBeComplete ? "!" : "")"
        case .discard: "discard"
        case .confirm: "confirm"
        case .synchronizeFolder: "synchronizeFolder"
        }
    }
}
