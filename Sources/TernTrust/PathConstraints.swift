// SPDX-License-Identifier: Apache-2.0
import X509

/// What authorities say of the certificates below them (RFC 5280 §4.2.1.9, §4.2.1.10).
enum PathConstraints {
    /// Tells whether a path keeps the constraints of all its authorities, the trusted one's too.
    ///
    /// They do not apply to a single certificate, which is trusted by decision.
    ///
    /// - Parameters:
    ///   - path: the certificates, the server's first.
    ///   - comparisonsLeft: the number of names that may still be compared; those that this takes are subtracted.
    /// - Returns: `false`, too, if there are not enough comparisons left.
    static func areKept(by path: [Certificate], spending comparisonsLeft: inout Int) -> Bool {
        guard path.count > 1 else { return true }
        // §4.1.2.1: "When extensions are used, as expected in this profile, version MUST be 3".
        guard path.allSatisfy({ $0.version != .v1 || $0.extensions.isEmpty }) else { return false }
        return self.areAuthorities(path.dropFirst()) && self.areNamed(path, spending: &comparisonsLeft)
    }

    /// Whether all are authorities, none too far above the first.
    private static func areAuthorities(_ issuers: ArraySlice<Certificate>) -> Bool {
        var lowerCount = 0
        for issuer in issuers {
            if issuer.version == .v1 {
                // It does not say. As with OpenSSL, a root is taken for one; below it, the judge refuses this version.
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

    /// Whether each has names that all above it allow.
    private static func areNamed(_ path: [Certificate], spending comparisonsLeft: inout Int) -> Bool {
        for index in path.indices.dropFirst() {
            do {
                guard let constraints = try path[index].extensions.nameConstraints else { continue }
                let limits = NameLimits(constraints)
                // §6.1.3 (b), (c): "If certificate i is self-issued and it is not the final certificate in the path, skip
                // this step": an authority's certificate for its new key has the authority's own name.
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
    /// Whether the issuer has the name of the subject (RFC 5280 §6.1).
    fileprivate var isSelfIssued: Bool { self.issuer == self.subject }
}
