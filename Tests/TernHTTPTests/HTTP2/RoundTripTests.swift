// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernAuthentication
import TernConnections
import TernTesting
import TernTransport
import TestSupport
import Testing

@testable import TernHTTP
@testable import TernHTTP2

@Suite("The round trip for which windows are sized", .hangLimit)
struct RoundTripTests {
    private static func connection() async throws -> any Connection {
        let connector = MemoryConnector { connection in await connection.waitForEnd() }
        return try await connector.connect(to: .host("test", port: 80), deadline: nil)
    }

    @Test(arguments: [
        // On a short line, most of the handshake is computing.
        (1, 6, TLSConfiguration.Version.tls13, 1), (1, 19, .tls13, 1), (30, 8, .tls13, 8),
        // A relay or a proxy nearby accepts the connection; the handshake goes all the way.
        (1, 100, .tls13, 100), (1, 200, .tls12, 100),
        // A slow look-up of the name is not the line's.
        (2000, 30, .tls13, 30),
    ])
    func `a long handshake shows the line`(
        connecting: Int,
        handshake: Int,
        version: TLSConfiguration.Version,
        roundTrip: Int
    ) async throws {
        let connection = try await Self.connection()
        var established = EstablishedConnection(connection)
        #expect(established.roundTrip == nil)
        established.noteConnecting(.milliseconds(connecting))
        #expect(established.roundTrip == .milliseconds(connecting))
        let facts = TLSFacts(version: version, trust: ServerTrust(host: "test", chain: []))
        established.noteHandshake(.milliseconds(handshake), facts)
        #expect(established.roundTrip == .milliseconds(roundTrip))
        connection.close()
    }

    @Test func `a session announces windows for its line`() async throws {
        let connection = try await Self.connection()
        let settings = ExchangeSettings(HTTPTransportConfiguration())
        let flow = FlowPolicy()
        for (roundTrip, byteCount) in [
            (Duration?.none, flow.initialStreamWindowByteCount), (.zero, flow.initialStreamWindowByteCount),
            (.milliseconds(20), 10_000_000), (.seconds(10), flow.maximumWindowByteCount),
        ] {
            let session = HTTP2Session(connection, settings, clock: ManualClock(), roundTrip: roundTrip)
            #expect(session.locked.withLock { $0.machine.streamWindowByteCount } == byteCount)
        }
        connection.close()
    }
}
