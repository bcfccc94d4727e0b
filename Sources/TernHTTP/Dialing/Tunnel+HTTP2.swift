// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernHTTP2
import TernRequests
import TernTransport

extension Tunnel {
    /// Sends CONNECT over a stream, which the caller resets after an error or a challenge (RFC 9113 §8.5).
    func ask(_ stream: HTTP2ExchangeStream, _ credentials: HTTPField?) async throws(ClientError) -> Answer {
        let deadline = self.call.deadline(.connect, self.call.timeouts.connect)
        try await self.send(over: stream, credentials, deadline)
        while true {
            if case .head(let head)? = stream.takeHead() {
                return try self.judge(head, hasSpoken: stream.inbox.take().map { $0.readableBytes > 0 } ?? false)
            }
            do throws(ConnectionError) {
                // A head ends the read with an empty buffer. No content can come before the head.
                guard try await stream.inbox.read(atLeast: 1, deadline: deadline) != nil else {
                    throw ConnectionError.closed
                }
            } catch {
                throw stream.failure(by: error).clientError(for: self.call, phase: .proxy)
            }
        }
    }

    private func send(
        over stream: HTTP2ExchangeStream,
        _ credentials: HTTPField?,
        _ deadline: CallDeadline?
    ) async throws(ClientError) {
        let head = HTTP2RequestHead(
            method: .connect,
            scheme: "",
            authority: self.authority,
            path: "",
            fields: self.fields(with: credentials)
        )
        let hasRoom: Bool
        do throws(HTTP2OpeningFailure) {
            hasRoom = try stream.session.open(stream, head, with: nil, endsStream: false).hasRoom
        } catch {
            var error = self.call.error(error, .proxy)
            error.context.delivery = .refused
            throw error
        }
        guard !hasRoom else { return }
        do throws(ConnectionError) {
            try await stream.session.connection.waitForRoom(deadline: deadline)
        } catch {
            throw self.call.error(error, .proxy)
        }
    }
}
