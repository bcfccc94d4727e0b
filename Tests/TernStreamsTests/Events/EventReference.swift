// SPDX-License-Identifier: Apache-2.0
import TernStreams

/// Interprets an event stream as the standard words it: lines as text first, without limits, chunks or shortcuts
/// (WHATWG HTML §9.2.6).
struct EventReference {
    var outcome = EventOutcome()
    private let deliversComments: Bool
    private var lastEventIDBuffer = ""
    private var dataBuffer = ""
    private var eventTypeBuffer = ""
    private var isPending = false

    init(_ bytes: [UInt8], deliversComments: Bool = false) {
        self.deliversComments = deliversComments
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        var line: [UInt8] = []
        var previous: UInt8?
        for byte in bytes.dropFirst(hasMark ? 3 : 0) {
            if byte == 0x0A && previous == 0x0D {
            } else if byte == 0x0A || byte == 0x0D {
                self.process(line)
                line = []
            } else {
                line.append(byte)
            }
            previous = byte
        }
        self.outcome.isAtBoundary = line.isEmpty && !self.isPending
    }

    private mutating func process(_ line: [UInt8]) {
        guard !line.isEmpty else { return self.dispatch() }
        let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: parts[0], as: UTF8.self)
        var valueBytes = parts.count > 1 ? Array(parts[1]) : []
        if valueBytes.first == 0x20 { valueBytes.removeFirst() }
        let value = String(decoding: valueBytes, as: UTF8.self)
        switch name {
        case "" where self.deliversComments:
            let comment = ServerSentEvent(event: "", id: self.outcome.lastEventID, comment: value)
            self.outcome.events.append(comment)
        case "event":
            self.eventTypeBuffer = value
            self.isPending = true
        case "data":
            self.dataBuffer += value + "\n"
            self.isPending = true
        case "id" where !valueBytes.contains(0):
            self.lastEventIDBuffer = value
            self.isPending = true
        case "retry" where !valueBytes.isEmpty && valueBytes.allSatisfy { (0x30...0x39).contains($0) }:
            self.outcome.reconnectionTime = .milliseconds(Int64(value) ?? .max)
        default: break
        }
    }

    private mutating func dispatch() {
        self.outcome.lastEventID = self.lastEventIDBuffer
        defer { (self.dataBuffer, self.eventTypeBuffer, self.isPending) = ("", "", false) }
        guard !self.dataBuffer.isEmpty else { return }
        self.dataBuffer.unicodeScalars.removeLast()
        let type = self.eventTypeBuffer.isEmpty ? "message" : self.eventTypeBuffer
        self.outcome.events.append(ServerSentEvent(event: type, data: self.dataBuffer, id: self.outcome.lastEventID))
    }
}
