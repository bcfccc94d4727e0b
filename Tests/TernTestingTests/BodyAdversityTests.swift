// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Faults within a body", .hangLimit)
struct BodyAdversityTests {
    /// Returns the part of a body of ten digits that a client receives.
    private func received(
        _ adversities: Adversity...,
        answer: @escaping ScriptedServer.Answer = { _ in .response(body: "0123456789") }
    ) async throws -> (text: String, error: ClientError?) {
        let client = Client(
            configuration: .patient,
            connector: MemoryConnector(plan: .accept(toClient: adversities), answer: answer)
        )
        let (bytes, _) = try await client.bytes(from: testURL)
        var text = ""
        do throws(ClientError) {
            for try await chunk in bytes.chunks { text += String(decoding: chunk, as: UTF8.self) }
            return (text, nil)
        } catch {
            return (text, error)
        }
    }

    @Test(arguments: [1, 5, 9])
    func `a body is cut, reset or ended after so many of its bytes`(count: Int) async throws {
        for adversity in [
            Adversity.cut(afterBodyByteCount: count), .reset(afterBodyByteCount: count),
            .halfClose(afterBodyByteCount: count),
        ] {
            let (text, error) = try await self.received(adversity)
            #expect(text == "0123456789".prefix(count))
            #expect(error?.isConnectivity == true)
        }
    }

    @Test(arguments: [1, 2, 3, 7])
    func `it does not matter in which pieces the head comes`(size: Int) async throws {
        let (text, error) = try await self.received(.drip(bytesPerPiece: size), .cut(afterBodyByteCount: 4))
        #expect(text == "0123")
        guard case .truncated(received: 4, expected: 10, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `interim heads are no bodies`() async throws {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let (text, _) = try await self.received(.cut(afterBodyByteCount: 3)) { _ in
            .raw("\(hints)\(hints)HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789")
        }
        #expect(text == "012")
    }

    @Test func `a fault behind the end of the body does not happen in it`() async throws {
        let (text, error) = try await self.received(.reset(afterBodyByteCount: 11))
        #expect(text == "0123456789")
        #expect(error == nil)
    }

    @Test func `of chunks the framing counts`() async throws {
        let (text, error) = try await self.received(.cut(afterBodyByteCount: 8)) { _ in .chunked(["abc", "def"]) }
        #expect(text == "abc", "3 CRLF abc CRLF")
        #expect(error?.isConnectivity == true)
    }

    @Test func `a body that stalls ends with the limit for silence`() async throws {
        let clock = ManualClock()
        let connector = MemoryConnector(plan: .accept(toClient: [.stall(afterBodyByteCount: 2)]), clock: clock) { _ in
            .response(body: "0123456789")
        }
        var configuration = Client.Configuration()
        configuration.timeouts = .patient(idle: .seconds(60))
        let client = Client(configuration: configuration, connector: connector, clock: clock)
        let calling = Task { try await client.data(from: testURL) }
        guard case .failure(ClientError.timedOut(.idle, _, _)) = await clock.advance(until: calling) else {
            Issue.record("it did not end by the limit for silence")
            return
        }
    }

    @Test func `an upload meets a reset after so many bytes of its body`() async throws {
        let received = Observed(0)
        let connector = MemoryConnector(
            plan: .accept(toServer: [.reset(afterBodyByteCount: 1000)]),
            connection: { connection in
                guard (try await connection.readHead()) != nil else { return }
                while let bytes = try await connection.read() { received.update { $0 += bytes.count } }
            }
        )
        let client = Client(configuration: .patient, connector: connector)
        let error = await #expect(throws: ClientError.self) {
            try await client.upload(for: Request(.put, testURL), from: Data(count: 100_000))
        }
        #expect(error?.isConnectivity == true)
        try await connector.waitForServers()
        #expect(received.value <= 1000)
    }
}
