// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernTransfers
import TestSupport
import Testing

/// One upload of as many calls as it needs, over connections that break, with crashes between any two events.
struct UploadRun<Server: SimulatedUploadServer> {
    struct Crash: Error {}

    var generator: SeededGenerator
    var server: Server
    /// Whether nothing goes wrong any more.
    var isHonest = false
    var callCount = 0
    /// The number of times that a caller wanted the file to be sent from the beginning.
    private(set) var consentCount = 0
    let configuration: UploadConfiguration
    let note: String
    /// The states of the record on the disk, since the folder was synchronized.
    private var journal: [[UInt8]?] = [nil]

    init(_ note: String, _ configuration: UploadConfiguration, _ server: Server, _ generator: SeededGenerator) {
        (self.note, self.configuration, self.server, self.generator) = (note, configuration, server, generator)
    }

    /// The record on the disk, as the process sees it.
    var record: [UInt8]? { self.journal[self.journal.count - 1] }

    private mutating func happens(_ oneIn: Int) -> Bool {
        !self.isHonest && Int.random(in: 0..<oneIn, using: &self.generator) == 0
    }

    private var stored: StoredUpload {
        guard let bytes = self.record else { return .absent }
        do throws(RecordProblem) {
            return .usable(try UploadRecord(decoding: bytes))
        } catch {
            return .unusable(error)
        }
    }

    private mutating func perform(_ step: RecordStep) {
        switch step {
        case .write(let record): self.journal.append(record.encoded)
        case .discard: self.journal.append(nil)
        case .synchronizeFolder: self.journal = [self.record]
        case .confirm: break
        }
    }

    /// Checks that each record that a crash may leave is true; then crashes, perhaps.
    private mutating func mayCrash() throws(Crash) {
        for bytes in self.journal {
            guard let bytes else { continue }
            guard let record = try? UploadRecord(decoding: bytes) else {
                Issue.record("\(self.note): the record is damaged")
                continue
            }
            self.server.store.check(record, self.note)
        }
        guard self.happens(60) else { return }
        self.server.disconnect()
        // After the end of a process, all changes of names are there. After that of a machine, some are not.
        let isProcess = Bool.random(using: &self.generator)
        let record = isProcess ? self.record : self.journal.randomElement(using: &self.generator) ?? nil
        self.journal = [record]
        throw Crash()
    }

    // MARK: Calls

    /// Performs one call, as its driver does.
    mutating func call() throws(Crash) -> UploadOutcome {
        self.callCount += 1
        let stored = self.stored
        var machine = UploadStateMachine(self.configuration, stored: stored)
        if case .usable = stored {} else { self.consentCount += 1 }
        var step = machine.start(now: Samples.now)
        var stepCount = 0
        while true {
            stepCount += 1
            guard stepCount < 2000 else {
                Issue.record("\(self.note): the call does not end, at \(step)")
                return .failed(.interrupted)
            }
            try self.mayCrash()
            let (before, restart) = (machine.progress, machine.restart)
            switch step {
            case .end(let outcome): return outcome
            case .perform(let action):
                if self.happens(100) {
                    step = machine.fileFailed()
                } else {
                    self.perform(action)
                    try self.mayCrash()
                    step = machine.performed()
                }
            case .send(let request, _):
                if request.purpose == .append, let body = request.body {
                    #expect(body.lowerBound >= before.acknowledgedByteCount, "\(self.note): sent again")
                }
                step = self.happens(25) ? self.cut(&machine) : try self.exchange(request, &machine)
            }
            guard machine.restart == restart else { continue }
            #expect(machine.progress.sentByteCount >= before.sentByteCount, "\(self.note)")
            #expect(machine.progress.acknowledgedByteCount >= before.acknowledgedByteCount, "\(self.note)")
            #expect(machine.progress.sentByteCount >= machine.progress.acknowledgedByteCount, "\(self.note)")
        }
    }

    private mutating func cut(_ machine: inout UploadStateMachine) -> UploadStep {
        self.server.disconnect()
        let error = self.happens(10) ? Samples.cancelled : Samples.reset
        return machine.cut(by: error, using: &self.generator)
    }

    // MARK: Exchanges

    private mutating func exchange(
        _ request: UploadRequest,
        _ machine: inout UploadStateMachine
    ) throws(Crash) -> UploadStep {
        var url = UploadSamples.target
        if case .upload(let location) = request.target {
            url = location.url
            if self.happens(30), let index = self.server.store.index(location.text) {
                let moved = "https://example.com/moved/\(index)"
                let response = WireResponse(status: Bool.random(using: &self.generator) ? 307 : 308)
                return self.deliver(response, [.location: moved], url, &machine)
            }
        }
        // A proxy, or the server, refuses before the request has an effect.
        if self.happens(30) { return self.deliver(WireResponse(status: 503), [:], url, &machine) }
        let wire = self.wire(request, url)
        let (answer, notices) = self.server.begin(wire, using: &self.generator)
        if let step = try self.inform(notices, url, &machine) { return step }
        if let answer { return self.happens(20) ? self.cut(&machine) : self.deliver(answer, [:], url, &machine) }
        let body = request.body ?? 0..<0
        var rest = self.server.store.file[Int(body.lowerBound)..<Int(body.upperBound)]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...40, using: &self.generator))
            rest = rest.dropFirst(piece.count)
            // The client knows of all bytes that may arrive.
            machine.sent(byteCount: piece.count)
            try self.mayCrash()
            let isCut = self.happens(30)
            let arrived = isCut ? piece.prefix(Int.random(in: 0...piece.count, using: &self.generator)) : piece
            let notices = self.server.receive(arrived, using: &self.generator)
            if let step = try self.inform(notices, url, &machine) { return step }
            if isCut { return self.cut(&machine) }
            if self.happens(50) {
                self.server.store.restart(using: &self.generator)
                return self.cut(&machine)
            }
        }
        let response = self.server.end(using: &self.generator)
        try self.mayCrash()
        if self.happens(8) { return self.cut(&machine) }
        if self.happens(12) { return self.deliver(WireResponse(status: 502), [:], url, &machine) }
        return self.deliver(response, [:], url, &machine)
    }

    private func wire(_ request: UploadRequest, _ url: URL) -> WireRequest {
        var fields = request.fields
        if let checksum = request.checksum, let body = request.body {
            var hasher = UploadPartHasher(checksum)
            self.server.store.file[Int(body.lowerBound)..<Int(body.upperBound)].withUnsafeBytes { hasher.update($0) }
            fields[.uploadChecksum] = hasher.fieldValue
        }
        let byteCount = request.body.map { Int($0.upperBound - $0.lowerBound) } ?? 0
        return WireRequest(method: request.method, url: url.absoluteString, fields: fields, byteCount: byteCount)
    }

    /// Delivers informational responses, some of which are lost; returns a step if the exchange is cancelled.
    private mutating func inform(
        _ notices: [HTTPFields],
        _ url: URL,
        _ machine: inout UploadStateMachine
    ) throws(Crash) -> UploadStep? {
        for fields in notices where !self.happens(8) {
            let notice = UploadNotice(status: 104, fields: fields, url: url)
            let isDue = Bool.random(using: &self.generator)
            switch machine.informed(notice, now: Samples.now, isDue: isDue) {
            case .abort(let step):
                self.server.disconnect()
                return step
            case .proceed(let steps):
                for step in steps {
                    try self.mayCrash()
                    self.perform(step)
                }
            }
        }
        return nil
    }

    private mutating func deliver(
        _ response: WireResponse,
        _ more: HTTPFields,
        _ url: URL,
        _ machine: inout UploadStateMachine
    ) -> UploadStep {
        let response = UploadResponse(
            status: response.status,
            fields: Samples.merged(response.fields, more),
            url: url,
            problem: response.problem
        )
        return machine.received(response, now: Samples.now, using: &self.generator)
    }
}
