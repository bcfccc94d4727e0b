// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A user name and a password for the servers and proxies with authentication.
struct Account: CaseIterable, Sendable {
    /// An account that may request everything except resources for other accounts.
    static let albert = Account(user: "Albert", password: "open sesame")
    /// An account that may request few resources.
    static let berta = Account(user: "Berta", password: "other secret")
    /// An account with Albert's permissions, whose name and password contain characters outside ASCII.
    static let jason = Account(user: "Jäsøn", password: "pässwörd")

    /// Returns an unknown account, with a name that no other test uses.
    ///
    /// Squid has one state for all requests with the same user name at the same time. It may therefore accept a wrong
    /// password, and refuse a right one, if both arrive together.
    static func stranger(_ name: String) -> Account { Account(user: "stranger-\(name)", password: "wrong") }

    static let allCases = [Self.albert, .berta, .jason]

    /// The realm of the servers and the proxies.
    static let realm = "tern"

    let user: String
    let password: String

    /// Writes the password files `users.basic` and `users.digest`.
    static func write(to folder: URL) throws {
        let arguments = Self.allCases.flatMap { [$0.user, $0.password] }
        try PeerProcess.run(Scripts.path("users.sh"), [Self.realm] + arguments, in: folder)
    }
}
