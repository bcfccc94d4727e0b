// SPDX-License-Identifier: Apache-2.0
import X509

/// What authorities say of the certificates below them (RFC 5280 §4.2.1.9, §4.2.1.10).
enum PathConstraints {
    /// Whether a path keeps the constraints of all its authorities, the trusted one's too.
    ///
    /// They do not apply to a single certificate, which is trusted by decision.
    static func areKept(by path: [Certificate]) -> Bool {
        guard path.count > 1 else { return true }
        // §4.1.2.1: "When extensions are used, as expected in this profile, version MUST be 3".
        guard path.allSatisfy({ $0.version != .v1 || $0.extensions.isEmpty }) else { return false }
        return self.areAuthorities(path.dropFirst()) && self.areNamed(path)
    }

    /// Whether all are authorities, none too far above the first.
    private static func areAuthorities(_ issuers: ArraySlice<Certificate>) -> Bool {
        var lowerCount = 0
        for issuer in issuers {
            // What is of version 1 does not say. Where it is not the trusted one, `mayIssue` refuses it.
            if issuer.version != .v1 {
                guard case .isCertificateAuthority(let maximum)? = try? issuer.extensions.basicConstraints,
                    maximum.map({ $0 >= lowerCount }) ?? true
                else { return false }
            }
            // §4.2.1.9: "the maximum number of non-self-issued intermediate certificates that may follow".
            if issuer.issuer != issuer.subject { lowerCount += 1 }
        }
        return true
    }

    /// Whether each has names that all above it allow.
    private static func areNamed(_ path: [Certificate]) -> Bool {
        path.indices.dropFirst().allSatisfy { index in
            do {
                guard let constraints = try path[index].extensions.nameConstraints else { return true }
                return path[..<index].allSatisfy(NameLimits(constraints).allow)
            } catch {
                return false
            }
        }
    }
}
