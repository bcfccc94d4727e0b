// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import Testing

/// One way in which the raw server misbehaves, and the expected error.
struct AdversityCase: CustomTestStringConvertible, Sendable {
    let path: String
    let fault: Fault
    let phase: ClientError.Phase
    /// The status of the response in the error's context; `nil` if the server completes no head.
    let status: Int?

    init(_ path: String, _ fault: Fault, _ phase: ClientError.Phase, status: Int? = nil) {
        (self.path, self.fault, self.phase, self.status) = (path, fault, phase, status)
    }

    var testDescription: String { self.path }

    /// Requests the path, and checks the error and its context.
    ///
    /// Also checks that the connection is closed while the client is still in use.
    func check(_ timeouts: Timeouts = .patient()) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let request = server.get(self.path).timeouts(timeouts)
        let error = await failure { () async throws(ClientError) in try await client.data(for: request) }
        #expect(error?.fault == self.fault)
        #expect(error?.context.phase == self.phase)
        #expect(error?.context.origin == server.origin)
        #expect(error?.status?.code == self.status)
        try await server.isLeft()
        let (data, response) = try await client.data(for: server.get("/fine"))
        #expect(data == Data("fine".utf8))
        #expect(!response.isConnectionReused)
    }
}
