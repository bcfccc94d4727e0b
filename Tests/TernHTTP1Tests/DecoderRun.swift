// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1

/// Collects the events of a decoder for bytes that all arrive in one piece.
struct DecoderRun {
    var events: [ResponseDecoder.Event] = []
    var body: [UInt8] = []
    var rest: [UInt8] = []
    var isComplete = false

    /// The last decoded head.
    var head: ResponseHead? {
        for case .head(let head) in self.events { return head }
        return nil
    }

    init(
        _ bytes: [UInt8],
        to method: HTTPRequest.Method = .get,
        limits: HTTP1Limits = .init()
    ) throws(HTTP1Violation) {
        var decoder = ResponseDecoder(method: method, limits: limits)
        self.rest = bytes
        while true {
            let step = try decoder.next(ContiguousArray(self.rest).span.bytes)
            if case .body(let range)? = step.event { self.body += self.rest[range] }
            self.rest.removeFirst(step.consumedByteCount)
            guard let event = step.event else { break }
            self.events.append(event)
        }
        self.isComplete = decoder.isComplete
    }

    init(_ text: String, to method: HTTPRequest.Method = .get) throws(HTTP1Violation) {
        try self.init(Array(text.utf8), to: method)
    }
}
