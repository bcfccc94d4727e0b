// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernErrors
import TernTransport

/// A response body that ends with an error where its length is not within a range.
final class LengthCheckedBodySource: ResponseBodySource {
    private struct State {
        /// The body; `nil` once it is over, so that its connection is free.
        var body: ResponseBody?
        var byteCount: Int64 = 0
    }

    let length: Int64?

    private let lowerBound: Int64
    private let upperBound: Int64
    private let call: Call
    private let response: Response
    private let state: Mutex<State>

    /// Begins to count; all `ranges` of lengths must hold.
    init(_ body: ResponseBody, _ ranges: [ClosedRange<Int64>], _ call: Call, _ response: Response) {
        self.length = body.length
        self.lowerBound = ranges.map(\.lowerBound).max() ?? 0
        self.upperBound = ranges.map(\.upperBound).min() ?? .max
        self.call = call
        self.response = response
        self.state = Mutex(State(body: body))
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        let (body, room) = self.state.withLock { state in
            (state.body?.taken(), self.upperBound - state.byteCount)
        }
        guard let body else { return nil }
        var reader = body.makeReader()
        // One byte too many is enough to know; to gather more would be to wait for what is refused.
        let wanted = Int(clamping: min(Int64(byteCount), max(0, min(room, .max - 1)) + 1))
        let bytes = try await reader.next(atLeast: wanted)
        let count = self.state.withLock { state in
            state.byteCount += Int64(bytes?.readableBytes ?? 0)
            if bytes == nil || state.byteCount > self.upperBound { state.body = nil }
            return state.byteCount
        }
        guard count > self.upperBound || bytes == nil && count < self.lowerBound else { return bytes }
        let context = self.call.context(.body, response: self.response.httpResponse)
        throw .validationFailed(ValidationFailure(.length(count)), context)
    }
}
