// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Tern

/// Where the server is, and what to say if it is not there.
struct ServerOptions: ParsableArguments {
    static let port = 8765

    @Option(name: .customLong("server"), help: "Where the server is.")
    var address = "http://127.0.0.1:\(Self.port)"

    /// Uses the server.
    ///
    /// - Parameter body: what to ask of it.
    /// - Returns: what it answered.
    /// - Throws: an error that says what to do.
    func use<Value>(_ body: (PhotoService) async throws -> Value) async throws -> Value {
        guard let url = URL(string: self.address) else { throw ValidationError("\(self.address) is no URL.") }
        do {
            return try await body(PhotoService(at: url))
        } catch let error as ClientError {
            throw AppFailure(error, server: self.address)
        }
    }
}

/// Why the app could not do what was asked, in the words of who uses it.
struct AppFailure: Error, CustomStringConvertible {
    let description: String

    init(_ error: ClientError, server: String) {
        self.description =
            switch (error, error.status?.code) {
            case (.connectionFailed, _): "There is no server at \(server). Start one: PhotoApp serve"
            case (_, 401):
                "The server wants a user and a password that it knows. Give --user and --password, or type them."
            case (_, 404): "There is no such photo. See which there are: PhotoApp list"
            default: error.description
            }
    }
}
