// SPDX-License-Identifier: Apache-2.0
import X509

/// The constraints of authorities on the certificates below them (RFC 5280 §4.2.1.9, §4.2.1.10).
enum PathConstraints {
    /// Returns whether a path, the server's own certificate first, obeys the constraints of all its authorities.
    static func areSatisfied(by path: [Certificate], spending comparisonsLeft: inout Int) -> Bool {
        guard path.count > 1 else { return true }
        // §4.1.2.1: "When extensions are used, as expected in this profile, version MUST be 3".
        guard path.allSatisfy({ $0.version != .v1 || $0.extensions.isEmpty }) else { return false }
        return self.areAuthorities(path.dropFirst()) && self.namesArePermitted(path, spending: &comparisonsLeft)
    }

    /// Returns whether all certificates are authorities, and each allows the number of authorities below it.
    private static func areAuthorities(_ issuers: ArraySlice<Certificate>) -> Bool {
        var lowerCount = 0
        for issuer in issuers {
            if issuer.version == .v1 {
                // A certificate of version 1 does not say whether it is an authority. As in OpenSSL, a root counts as one;
                // `CertificateJudge` refuses this version below the root.
                guard issuer.isSelfIssued else { return false }
            } else {
                guard case .isCertificateAuthority(let maximum)? = try? issuer.extensions.basicConstraints,
                    maximum.map({ $0 >= lowerCount }) ?? true
                else { return false }
            }
            // §4.2.1.9: "the maximum number of non-self-issued intermediate certificates that may follow".
            if !issuer.isSelfIssued { lowerCount += 1 }
        }
        return true
    }

    private static func namesArePermitted(_ path: [Certificate], spending comparisonsLeft: inout Int) -> Bool {
        for index in path.indices.dropFirst() {
            do {
                guard let constraints = try path[index].extensions.nameConstraints else { continue }
                let limits = NameLimits(constraints)
                // §6.1.3 (b), (c): "If certificate i is self-issued and it is not the final certificate in the path,
                // skip this step". For example, an authority issues a certificate with its own name for its new key.
                let lower = path[..<index].enumerated().filter { $0.offset == 0 || !$0.element.isSelfIssued }
                guard lower.allSatisfy({ limits.allow($0.element, spending: &comparisonsLeft) }) else { return false }
            } catch {
                return false
            }
        }
        return true
    }
}

extension Certificate {
    fileprivate var isSelfIssued: Bool { self.issuer == self.subject }
}
