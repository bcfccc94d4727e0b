// SPDX-License-Identifier: Apache-2.0

/// The version of Tern, which `scripts/check version` compares with CHANGELOG.md.
package enum TernVersion {
    package static let number = "0.1.0"
    /// The name and the first two numbers, for `User-Agent` (RFC 9110 §10.1.5).
    package static let product = "tern/" + number.split(separator: ".").prefix(2).joined(separator: ".")
}
