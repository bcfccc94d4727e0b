// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

extension PeerProcess {
    /// Whether the tests run as the administrator, so that servers can and must run as another user.
    static var isPrivileged: Bool { geteuid() == 0 }

    /// Starts a program that cannot choose its ports itself.
    ///
    /// Another program may take a port between the choice and the start, so there is more than one try.
    static func withFreePorts<Peer: Sendable>(
        _ count: Int,
        _ launch: ([Int]) async throws -> Peer
    ) async throws -> Peer {
        var attempt = 1
        while true {
            do {
                return try await launch(try LoopbackPort.free(count))
            } catch let error as PeerProcess.Failure {
                guard attempt < 3, error.description.contains(Self.portIsTaken) else { throw error }
                attempt += 1
            }
        }
    }

    /// Waits until it listens on all of the ports; if it says that it could not, there is nothing to wait for.
    func listens(on ports: [Int]) async throws {
        try await self.ready {
            if self.output.contains(Self.portIsTaken) { throw PeerProcess.Failure(description: self.output) }
            return ports.allSatisfy(LoopbackPort.answers)
        }
    }

    private static let portIsTaken = "Address already in use"

    /// Writes the settings of a program into its folder, with a text put in for each `@NAME@`.
    static func write(_ script: String, to folder: URL, replacing names: [String: String]) throws {
        var text = try String(contentsOfFile: Scripts.path(script), encoding: .utf8)
        for (name, value) in names { text.replace("@\(name)@", with: value) }
        try text.write(to: folder.appending(path: script), atomically: true, encoding: .utf8)
    }

    /// Lets everybody read a file, or read and write in a folder: the server may run as another user than the tests.
    static func open(_ url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: url.path)
    }
}
