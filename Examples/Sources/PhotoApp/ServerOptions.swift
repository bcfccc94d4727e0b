// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Tern

/// The option for the server's address.
struct ServerOptions: ParsableArguments {
    static let port = 8765

    @Option(name: .customLong("server"), help: "The address of the server.")
    var address = "http://127.0.0.1:\(Self.port)"

    /// Sends requests to the server; throws ``AppFailure``, which says what to do, in place of a `ClientError`.
    func use<Value>(_ body: (PhotoService) async throws -> Value) async throws -> Value {
        guard let url = URL(string: self.address) else { throw ValidationError("\(self.address) is not a valid URL.") }
        do {
            return try await body(PhotoService(at: url))
        } catch let error as ClientError {
            throw AppFailure(error, server: self.address)
        }
    }
}

/// An error of the app, with a message for its user.
struct AppFailure: Error, CustomStringConvertible {
    let description: String

    init(_ error: ClientError, server: String) {
        self.description =
            switch (error, error.status?.code) {
            case (.connectionFailed, _): "There is no server at \(server). Start one: PhotoApp serve"
            case (_, 401):
                "The server wants a user and a password that it knows. Give --user and --password, or type them."
            case (_, 404): "There is no photo with this number. To list all photos: PhotoApp list"
            default: error.description
            }
    }
}
