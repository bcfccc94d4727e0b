// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests that closing a connection does not wait for the closure alert of a silent server (RFC 5246 §7.2.1).
@Suite("TLS: closing", .hangLimit)
struct ClosingTests {
    @Test func `cancelled calls leave no more connections than their host may have`() async throws {
        let server = try await SilentTLSServer()
        let client = server.makeClient(connections: 1)
        for _ in 0..<8 {
            let witness = Witness()
            let call = Task {
                await fault { () async throws(ClientError) in
                    try await client.upload(for: Request(.post, server.url), from: Data("x".utf8), delegate: witness)
                }
            }
            await witness.sent.wait()
            #expect(server.connectionCount == 1)
            call.cancel()
            #expect(await call.value == .cancelled)
        }
        try await eventually("the last connection is closed") { server.connectionCount == 0 }
    }

    @Test func `so do calls whose time is over`() async throws {
        let server = try await SilentTLSServer()
        let client = server.makeClient(connections: 1) { $0.timeouts.firstByte = .milliseconds(20) }
        for _ in 0..<4 {
            let fault = await fault { () async throws(ClientError) in
                try await client.data(for: Request(.get, server.url))
            }
            #expect(fault == .timedOut(.firstByte))
            #expect(server.connectionCount <= 1)
        }
    }

    @Test func `a connection that is closed is closed before the next one begins`() async throws {
        let server = try await SilentTLSServer()
        do {
            let client = server.makeClient(connections: 2)
            let calls = (0..<12).map { _ in
                Task {
                    await fault { () async throws(ClientError) in
                        try await client.data(for: Request(.get, server.url))
                    }
                }
            }
            try await eventually("two calls have a connection") { server.connectionCount == 2 }
            // The other calls wait for a connection. Each cancelled call lets the next one continue.
            for call in calls {
                call.cancel()
                #expect(await call.value == .cancelled)
                #expect(server.connectionCount <= 2)
            }
        }
        // A connection that was made for a call which then used another one stays open for later calls, until the
        // client is released.
        try await eventually("the last connection is closed") { server.connectionCount == 0 }
    }
}
