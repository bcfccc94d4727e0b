// SPDX-License-Identifier: Apache-2.0
import Tern
import Testing

@testable import TernNIO

/// Tests which failure the client reports for a host with several addresses.
@Suite("Resolution: failures of several addresses")
struct FailureRankTests {
    @Test(
        arguments: [
            ([], .interrupted), ([.refused], .refused), ([.noNetwork, .refused], .refused),
            ([.refused, .noNetwork], .refused), ([.noNetwork, .noNetwork], .noNetwork),
            ([.interrupted, .noNetwork], .noNetwork), ([.noNetwork, .unreachable], .unreachable),
            ([.refused, .tooManyOpenFiles], .tooManyOpenFiles), ([.reset, .refused], .reset),
        ] as [([ConnectionFailure], ConnectionFailure)]
    )
    func `a device is offline only if no address can be reached`(
        _ failures: [ConnectionFailure],
        _ expected: ConnectionFailure
    ) {
        #expect(ConnectionFailure.mostInformative(of: failures) == expected)
    }
}
