// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// An account that the servers and proxies with authentication know.
struct Account: CaseIterable, Sendable {
    /// May request everything except resources for other accounts.
    static let albert = Account(user: "Albert", password: "open sesame")
    /// May request few resources.
    static let berta = Account(user: "Berta", password: "other secret")
    /// Has Albert's permissions; the name and the password are not ASCII.
    static let jason = Account(user: "Jäsøn", password: "pässwörd")

    /// An unknown account, with a name that no other test uses.
    ///
    /// Squid has one state for all requests that come in the same name at the same time, so that a wrong password
    /// beside a right one may be accepted, and the right one refused.
    static func stranger(_ name: String) -> Account { Account(user: "stranger-\(name)", password: "wrong") }

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
