// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernConnections
import TernErrors
import TernRequests
import TernTransport
import TernURLLoading
import Testing

@testable import TernURLSession

@Suite("Exchange over URLSession, steps")
struct SessionExchangeTests {
    private final class Recorder: TransferObserver {
        private let reached = Mutex<[ExchangeMilestone]>([])

        var milestones: [ExchangeMilestone] { self.reached.withLock { $0 } }

        func didReach(_ milestone: ExchangeMilestone) { self.reached.withLock { $0.append(milestone) } }
        func didSend(_ byteCount: Int64, of total: Int64?) {}
        func didReceive(_ byteCount: Int64, of total: Int64?) {}
        func didReceiveInformational(_ response: HTTPResponse) {}
    }

    private static let answered: [ExchangeMilestone] = [
        .firstByte, .answered(statusCode: 200, version: "HTTP/1.1", headByteCount: 0),
    ]

    private let recorder = Recorder()

    /// Returns an exchange that has not begun, so that the test makes its events.
    private func exchange(_ body: OutgoingBody) throws -> SessionExchange {
        let request = Request(.post, "http://h/")
        let call = HTTPCall(
            request,
            to: try request.destination(),
            timeouts: Timeouts(),
            clock: SystemClock(),
            observer: self.recorder
        )
        return SessionExchange(
            call,
            body,
            .bounded(limit: 10),
            asksForCodings: false,
            .current,
            isAlone: false
        )
    }

    private func answer(_ exchange: SessionExchange) throws {
        let url = exchange.call.request.url
        exchange.receive(try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:])))
    }

    @Test func `a wait for connectivity ends with the first bytes of the body`() throws {
        let exchange = try self.exchange(.data(Data("hello".utf8)))
        exchange.waitsForConnectivity()
        exchange.sent(2)
        exchange.sent(5)
        try self.answer(exchange)
        let steps: [ExchangeMilestone] = [.waiting, .connected, .bodySent(byteCount: 5)]
        #expect(self.recorder.milestones == steps + Self.answered)
    }

    @Test func `without a body, it ends with the response`() throws {
        let exchange = try self.exchange(.none)
        exchange.waitsForConnectivity()
        try self.answer(exchange)
        let steps: [ExchangeMilestone] = [.waiting, .connected]
        #expect(self.recorder.milestones == steps + Self.answered)
    }

    @Test func `without a wait, there is none to end`() throws {
        let exchange = try self.exchange(.none)
        try self.answer(exchange)
        #expect(self.recorder.milestones == Self.answered)
    }
}
