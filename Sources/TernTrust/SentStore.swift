// SPDX-License-Identifier: Apache-2.0
import Synchronization
import X509

/// The certificates between the server's own and a trusted one, as X509 asks for them: for a bounded time.
///
/// Certificates can be made that issued each other, in any combination. With 15 of them there are more paths than can be
/// tried, and X509 would try them all.
struct SentStore: CustomCertificateStore {
    private var certificates: [DistinguishedName: [Certificate]]
    private let budget = Budget()

    init(_ certificates: [Certificate]) { self.certificates = Dictionary(grouping: certificates, by: \.subject) }

    subscript(subject: DistinguishedName) -> [Certificate]? {
        get async {
            guard let found = self.certificates[subject], self.budget.spend(found.count) else { return nil }
            return found
        }
    }

    func contains(_ certificate: Certificate) async -> Bool {
        self.certificates[certificate.subject]?.contains(certificate) ?? false
    }

    mutating func append(contentsOf certificates: some Sequence<Certificate>) {
        for certificate in certificates { self.certificates[certificate.subject, default: []].append(certificate) }
    }

    static func == (one: SentStore, other: SentStore) -> Bool { one.certificates == other.certificates }

    func hash(into hasher: inout Hasher) { hasher.combine(self.certificates) }

    /// How many signatures may still be verified; Go has the same limit (`maxChainSignatureChecks`).
    private final class Budget: Sendable {
        private let remaining = Atomic(100)

        /// Whether there was enough left.
        func spend(_ count: Int) -> Bool {
            self.remaining.subtract(count, ordering: .relaxed).newValue >= 0
        }
    }
}
