// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import X509

/// The limits that an authority sets on the names of the certificates below it (RFC 5280 §4.2.1.10).
///
/// "The application MUST either process the constraint or reject the certificate": Tern does not process those on e-mail
/// addresses.
struct NameLimits {
    enum Relation {
        /// The subtree contains everything that the name matches.
        case inside
        /// A wildcard matches names inside and outside the subtree.
        case partly
        case outside
        /// The name or the subtree is malformed, or Tern cannot compare the two.
        case unknown
    }

    /// The most comparisons of a name with a subtree in one evaluation; Go has this limit for one certificate.
    ///
    /// Beyond it, the call usually throws `ClientError.tlsFailed(.constraintViolated)`.
    static let maximumComparisonCount = 250_000

    private let permitted: [GeneralName]
    private let excluded: [GeneralName]

    init(_ constraints: NameConstraints) {
        self.permitted = constraints.permittedSubtrees
        self.excluded = constraints.excludedSubtrees
    }

    /// Returns whether the limits allow all names; `false`, too, if they are malformed or too few comparisons are left.
    func allow(_ certificate: Certificate, spending comparisonsLeft: inout Int) -> Bool {
        guard comparisonsLeft > 0, let names = certificate.constrainedNames else { return false }
        // Reading a name takes as long as comparing it, so each name costs one more comparison.
        comparisonsLeft -= min(comparisonsLeft, names.count)
        let (count, isTooMuch) = names.count.multipliedReportingOverflow(by: self.permitted.count + self.excluded.count)
        guard !isTooMuch, count <= comparisonsLeft else { return false }
        comparisonsLeft -= count
        return names.allSatisfy(self.allow)
    }

    private func allow(_ name: GeneralName) -> Bool {
        let permitted = self.permitted.filter { $0.form == name.form }
        let excluded = self.excluded.filter { $0.form == name.form }
        // "Any name matching a restriction in the excludedSubtrees field is invalid regardless of information appearing
        // in the permittedSubtrees."
        guard excluded.allSatisfy({ Self.relation(of: name, to: $0) == .outside }) else { return false }
        return permitted.isEmpty || permitted.contains { Self.relation(of: name, to: $0) == .inside }
    }

    private static func relation(of name: GeneralName, to subtree: GeneralName) -> Relation {
        switch (name, subtree) {
        case (.dnsName(let name), .dnsName(let subtree)): self.relation(ofHost: name, to: subtree)
        case (.ipAddress(let address), .ipAddress(let range)):
            self.relation(ofAddress: Array(address.bytes), to: Array(range.bytes))
        case (.uniformResourceIdentifier(let uri), .uniformResourceIdentifier(let subtree)):
            self.relation(ofURI: uri, to: subtree)
        case (.directoryName(let name), .directoryName(let subtree)): self.relation(ofDirectory: name, to: subtree)
        default: .unknown
        }
    }

    // MARK: Kinds of names

    /// Returns the relation of a host name to a subtree, which contains names with more labels "to the left-hand side".
    ///
    /// A subtree with a leading dot contains only the names below its domain, as in OpenSSL and Go.
    static func relation(ofHost name: String, to subtree: String) -> Relation {
        guard let labels = DNSLabels.labels(of: name) else { return .unknown }
        guard !subtree.isEmpty else { return .inside }
        let isForLower = subtree.utf8.first == UInt8(ascii: ".")
        guard let limit = DNSLabels.labels(of: isForLower ? String(subtree.dropFirst()) : subtree),
            limit.first != DNSLabels.wildcard
        else { return .unknown }
        let isWildcard = labels.first == DNSLabels.wildcard
        let fixed = isWildcard ? labels.dropFirst() : labels[...]
        if fixed.suffix(limit.count) == limit[...] {
            return isForLower && !isWildcard && fixed.count == limit.count ? .outside : .inside
        }
        // The name `*.example.com` does not end with the subtree `evil.example.com`, but matches it.
        let isReached = isWildcard && !isForLower && limit.dropFirst() == fixed
        return isReached ? .partly : .outside
    }

    /// "The constraint applies to the host part of the name"; for an address, the relation is unknown.
    static func relation(ofURI uri: String, to subtree: String) -> Relation {
        guard let host = DNSLabels.host(ofURI: uri) else { return .unknown }
        // RFC 5280 does not define an empty constraint; for NSS and Go it means all hosts.
        guard !subtree.isEmpty else { return .inside }
        let relation = self.relation(ofHost: host, to: subtree)
        // "When the constraint does not begin with a period, it specifies a host."
        guard relation == .inside, subtree.utf8.first != UInt8(ascii: ".") else { return relation }
        return DNSLabels.labels(of: host)?.count == DNSLabels.labels(of: subtree)?.count ? .inside : .outside
    }

    /// Compares a directory name with the common beginning of a subtree's names; other encodings may be equal (RFC 5280 §7.1).
    static func relation(ofDirectory name: DistinguishedName, to subtree: DistinguishedName) -> Relation {
        if name.starts(with: subtree) { return .inside }
        guard name.count >= subtree.count else { return .outside }
        let isElsewhere = zip(name, subtree).contains { one, other in
            one.count != other.count || Set(one.map(\.type)) != Set(other.map(\.type))
        }
        return isElsewhere ? .outside : .unknown
    }

    /// The range is an address and a mask "encoded in the style of RFC 4632 (CIDR)".
    static func relation(ofAddress address: [UInt8], to range: [UInt8]) -> Relation {
        guard [4, 16].contains(address.count), [8, 32].contains(range.count) else { return .unknown }
        guard range.count == 2 * address.count else { return .outside }
        let (base, mask) = (range.prefix(address.count), range.suffix(address.count))
        // The mask must consist of ones, followed by zeros.
        let rest = mask.drop { $0 == 0xFF }
        guard (~(rest.first ?? 0)).nonzeroBitCount == (rest.first ?? 0).trailingZeroBitCount,
            rest.dropFirst().allSatisfy({ $0 == 0 })
        else { return .unknown }
        let isInside = zip(zip(address, base), mask).allSatisfy { pair, mask in pair.0 & mask == pair.1 & mask }
        return isInside ? .inside : .outside
    }
}

extension GeneralName {
    /// The number of the name's ASN.1 tag (RFC 5280 §4.2.1.6).
    fileprivate var form: Int {
        switch self {
        case .otherName: 0
        case .rfc822Name: 1
        case .dnsName: 2
        case .x400Address: 3
        case .directoryName: 4
        case .ediPartyName: 5
        case .uniformResourceIdentifier: 6
        case .ipAddress: 7
        case .registeredID: 8
        }
    }
}

extension Certificate {
    /// The certificate's names that name constraints apply to; `nil` if the names are malformed.
    fileprivate var constrainedNames: [GeneralName]? {
        do {
            let alternatives = try self.extensions.subjectAlternativeNames
            var names = Array(alternatives ?? SubjectAlternativeNames())
            if !self.subject.isEmpty { names.append(.directoryName(self.subject)) }
            // "… but the certificate does not include a subject alternative name, the rfc822Name constraint MUST be
            // applied to the attribute of type emailAddress in the subject distinguished name."
            let attributes = alternatives == nil ? self.subject.flatMap { Array($0) } : []
            for attribute in attributes where attribute.type == .RDNAttributeType.emailAddress {
                names.append(.rfc822Name("\(attribute.value)"))
            }
            return names
        } catch {
            return nil
        }
    }
}
