// SPDX-License-Identifier: Apache-2.0

/// Decides which faults occur on a connection, request by request.
struct HTTP2FaultSchedule: Sendable {
    struct Reset: Hashable, Sendable {
        var code: UInt32
        var afterBodyByteCount = 0
    }

    enum Fate: Hashable, Sendable {
        case serve(Reset?)
        /// The gateway resets the stream with this error code, and the server does not get the request.
        case reset(UInt32)
        /// The stream is above the last stream of a GOAWAY.
        case ignore
    }

    struct GoAway: Hashable, Sendable {
        var lastStream: Int
        var code: UInt32
    }

    struct Decision: Hashable, Sendable {
        var settings: [HTTP2Setting] = []
        var goAway: GoAway?
        var fate = Fate.serve(nil)
    }

    let firstSettings: [HTTP2Setting]

    private let faults: [HTTP2Fault.Content]
    private var streams: [Int] = []
    private var isGoingAway = false

    init(_ faults: [HTTP2Fault]) {
        self.faults = faults.map(\.content)
        self.firstSettings = self.faults.flatMap { $0.settings(atRequest: nil) }
    }

    mutating func requestArrived(on stream: Int) -> Decision {
        self.streams.append(stream)
        let number = self.streams.count
        var decision = Decision()
        if self.isGoingAway { decision.fate = .ignore }
        for fault in self.faults {
            switch fault {
            case .settings: decision.settings += fault.settings(atRequest: number)
            case .goAway(let last, number, let code):
                guard !self.isGoingAway else { continue }
                self.isGoingAway = true
                let lastStream = last < 1 ? 0 : self.streams[last - 1]
                decision.goAway = GoAway(lastStream: lastStream, code: code)
                if last < number { decision.fate = .ignore }
            case .reset(number, let code, let byteCount):
                guard decision.fate == .serve(nil) else { continue }
                decision.fate = byteCount.map { .serve(Reset(code: code, afterBodyByteCount: $0)) } ?? .reset(code)
            default: continue
            }
        }
        return decision
    }
}

extension HTTP2Fault.Content {
    /// Returns the settings that change when this request arrives, or at the start for `nil`.
    fileprivate func settings(atRequest request: Int?) -> [HTTP2Setting] {
        guard case .settings(let maximumStreams, let initialWindow, request) = self else { return [] }
        return [
            maximumStreams.map { .maximumStreams($0) }, initialWindow.map { .initialWindow($0) },
        ].compactMap(\.self)
    }
}
