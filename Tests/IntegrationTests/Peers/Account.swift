// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Somebody whom the servers and proxies know that want to know who asks.
struct Account: CaseIterable, Sendable {
    /// Who may ask for everything but what is said to be for others.
    static let albert = Account(user: "Albert", password: "open sesame")
    /// Who may ask for little.
    static let berta = Account(user: "Berta", password: "other secret")
    /// Who may do what Albert may; the name and the password are not ASCII.
    static let jason = Account(user: "Jäsøn", password: "pässwörd")

    static let allCases = [Self.albert, .berta, .jason]

    /// The realm of the servers and the proxies.
    static let realm = "tern"

    let user: String
    let password: String

    /// Writes `users.basic` and `users.digest`.
    static func write(to folder: URL) throws {
        let arguments = Self.allCases.flatMap { [$0.user, $0.password] }
        try PeerProcess.run(Scripts.path("users.sh"), [Self.realm] + arguments, in: folder)
    }
}
