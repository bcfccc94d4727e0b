// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

extension PeerProcess {
    /// Whether the tests run as root.
    ///
    /// Servers must then run as another user.
    static var isPrivileged: Bool { geteuid() == 0 }

    /// Starts a program that cannot choose its ports itself.
    ///
    /// Another program may take a port between the choice and the start, so the function tries more than once.
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

    /// Waits until the program listens on all ports; throws if its output says that it cannot.
    func listens(on ports: [Int]) async throws {
        try await self.ready {
            if self.output.contains(Self.portIsTaken) { throw PeerProcess.Failure(description: self.output) }
            return ports.allSatisfy(LoopbackPort.answers)
        }
    }

    private static let portIsTaken = "Address already in use"

    /// Writes the settings of a program into its folder, and replaces each `@NAME@` with a text.
    static func write(_ script: String, to folder: URL, replacing names: [String: String]) throws {
        var text = try String(contentsOfFile: Scripts.path(script), encoding: .utf8)
        for (name, value) in names { text.replace("@\(name)@", with: value) }
        try text.write(to: folder.appending(path: script), atomically: true, encoding: .utf8)
    }

    /// Allows all users to read a file, or to read and write in a folder.
    ///
    /// The server may run as another user than the tests.
    static func open(_ url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: url.path)
    }
}
