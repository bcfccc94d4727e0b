// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernRequests
import TernTransport

extension HTTPCall {
    /// Creates a call with the default time limits.
    init(_ request: Request) throws {
        self.init(request, to: try request.destination(), timeouts: Timeouts(), clock: SystemClock())
    }
}
