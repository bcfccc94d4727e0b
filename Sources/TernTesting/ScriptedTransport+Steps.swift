// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import Tern
import TernConnections
import TernErrors
import TernTransport

extension ScriptedTransport.Step {
    /// Answers with a stream of server-sent events, which arrive step by step, with pauses by the client's clock.
    public static func events(
        _ steps: [ScriptedResponse.BodyStep],
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:]
    ) -> Self {
        .stream(steps, recordsAs: .lines, status, fields.with(contentType: "text/event-stream"))
    }

    /// Answers with a stream of JSON records, which arrive step by step, with pauses by the client's clock.
    public static func records(
        _ steps: [ScriptedResponse.BodyStep],
        format: RecordStreamFormat = .lines,
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:]
    ) -> Self {
        .stream(steps, recordsAs: format, status, fields.with(contentType: format.mediaType))
    }

    /// Answers with a body that arrives step by step, with pauses by the client's clock, and adds no `Content-Type`.
    public static func stream(
        _ steps: [ScriptedResponse.BodyStep],
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:]
    ) -> Self {
        .stream(steps, recordsAs: .lines, status, fields)
    }

    private static func stream(
        _ steps: [ScriptedResponse.BodyStep],
        recordsAs format: RecordStreamFormat,
        _ status: HTTPResponse.Status,
        _ fields: HTTPFields
    ) -> Self {
        let script = Result { () throws(TestStallError) in try BodyScript(steps, recordsAs: format) }
        return Self { call async throws(ClientError) in
            let response = Response(url: call.request.url, status: status, fields: fields)
            do throws(TestStallError) {
                let parts = ScriptedParts(call: call, response: response, parts: try script.get().parts)
                return HTTPReply(response: response, body: ResponseBody(chunks: parts))
            } catch {
                throw .interceptorFailed(error, call.context(.head))
            }
        }
    }
}

private struct ScriptedParts: AsyncSequence, Sendable {
    let call: HTTPCall
    let response: Response
    let parts: [BodyScript.Part]

    func makeAsyncIterator() -> Iterator { Iterator(body: self, rest: self.parts[...]) }

    struct Iterator: AsyncIteratorProtocol {
        let body: ScriptedParts
        var rest: ArraySlice<BodyScript.Part>
        var byteCount: Int64 = 0

        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientError) -> [UInt8]? {
            let call = self.body.call
            while let part = self.rest.popFirst() {
                switch part {
                case .bytes(let bytes):
                    self.byteCount += Int64(bytes.count)
                    return bytes
                case .pause(let duration):
                    let end = call.clock.now.advanced(by: duration)
                    let isOver = await Suspension<Bool>()
                        .wait(until: end, on: call.clock, onTimeout: true, onCancel: false)
                    guard isOver else { throw .cancelled(self.context) }
                case .end(.stall):
                    throw await call.stalled("the rest of a body, which the script never sends", self.context)
                case .end:
                    throw .truncated(received: self.byteCount, expected: nil, self.context)
                }
            }
            return nil
        }

        private var context: ClientError.Context {
            self.body.call.context(.body, response: self.body.response.httpResponse)
        }
    }
}
