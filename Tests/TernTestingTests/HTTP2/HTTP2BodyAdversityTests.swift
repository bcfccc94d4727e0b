// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernErrors
import TernFoundation
@testable import TernTesting
import TestSupport
import Testing

@Suite("Faults within a body over HTTP/2", .hangLimit)
struct HTTP2BodyAdversityTests {
    @Test func `the first body begins with the content of the first DATA frame`() {
        let output = [
            HTTP2Output.settings([.maximumStreams(1)]), .settingsAck, .headers(1, [(":status", "200")]), .data(1, []),
            .data(1, Array("content".utf8)),
        ]
        let bytes = output.flatMap(\.bytes)
        for preface in [[], HTTP2Peer.preface] {
            var search = BodySearch()
            let starts = (preface + bytes).map { search.read($0) }
            #expect(starts.compactMap(\.self).first == preface.count + bytes.count - 7)
        }
    }

    @Test(arguments: [1, 5, 9])
    func `a body is cut or reset after so many of its bytes`(count: Int) async throws {
        for adversity in [Adversity.cut(afterBodyByteCount: count), .reset(afterBodyByteCount: count)] {
            let connector = MemoryConnector(version: .http2, plan: .accept(toClient: [adversity])) { _ in
                .response(body: "0123456789")
            }
            var configuration = Client.Configuration.patient
            configuration.httpVersion = .http2PriorKnowledge
            let client = Client(configuration: configuration, connector: connector)
            let error = await failure { () async throws(ClientError) in try await client.data(from: testURL) }
            #expect(error?.isConnectivity == true)
            #expect(error?.context.phase == .body)
        }
    }

    @Test func `an upload meets a reset after so many bytes of its body`() async throws {
        let plan = ConnectionPlan.accept(toServer: [.reset(afterBodyByteCount: 1000)])
        let server = ScriptedServer { _ in .response() }
        let connector = MemoryConnector(server, version: .http2, plan: plan)
        var configuration = Client.Configuration.patient
        configuration.httpVersion = .http2PriorKnowledge
        let client = Client(configuration: configuration, connector: connector)
        let request = Request(.post, "http://test/")
        let error = await failure { () async throws(ClientError) in
            try await client.upload(for: request, from: Data(count: 50_000))
        }
        #expect(error?.isConnectivity == true)
        #expect(server.requests.isEmpty)
    }
}
