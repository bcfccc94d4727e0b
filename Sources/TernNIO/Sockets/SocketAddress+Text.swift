// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections

extension SocketAddress {
    /// The address as `address:port`, or the path of a Unix domain socket; `nil` if there is neither.
    var text: String? {
        if let path = self.pathname { return path.isEmpty ? nil : path }
        guard let address = self.ipAddress, let port = self.port else { return nil }
        return ConnectionEndpoint.host(address, port: port).description
    }
}
