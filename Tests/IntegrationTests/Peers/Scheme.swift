// SPDX-License-Identifier: Apache-2.0

/// The two ways to the same server, as a parameter of tests.
enum Scheme: String, CaseIterable, Sendable {
    case http
    case https
}
