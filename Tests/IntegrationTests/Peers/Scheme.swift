// SPDX-License-Identifier: Apache-2.0

/// The schemes for two URLs of the same server, as a parameter of tests.
enum Scheme: String, CaseIterable, Sendable {
    case http
    case https
}
