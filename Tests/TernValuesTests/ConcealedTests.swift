// SPDX-License-Identifier: Apache-2.0
import TernValues
import Testing

@Suite("Concealed")
struct ConcealedTests {
    /// A type that protects its secret only with `Concealed`.
    private struct Account: Hashable, Sendable {
        var user: String
        var password: Concealed<String>
        var tokens: Concealed<[String]?>
    }

    private static let secret = "s3cret"
    private static let account = Account(user: "Albert", password: .init(secret), tokens: .init([secret]))

    /// Returns the texts of all ways to print a value.
    private func texts(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let mirrored = Mirror(reflecting: value).children.map {
            "\($0) \(Mirror(reflecting: $0.value).children.map { $0 })"
        }
        return ["\(value)", String(reflecting: value), dumped, "\(mirrored)"]
    }

    @Test func `no way to print a value shows what is concealed in it`() {
        let values: [Any] = [Self.account, [Self.account], ["a": Self.account], Optional(Self.account) as Any]
        for value in values {
            for text in self.texts(value) { #expect(!text.contains(Self.secret), "\(text)") }
        }
        #expect("\(Self.account)".contains("Albert"))
    }

    @Test func `what is concealed counts when values are compared`() {
        var other = Self.account
        #expect(other == Self.account)
        #expect(other.hashValue == Self.account.hashValue)
        other.password.value = "another"
        #expect(other != Self.account)
    }
}
