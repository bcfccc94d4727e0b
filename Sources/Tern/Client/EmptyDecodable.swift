// SPDX-License-Identifier: Apache-2.0

/// A type one of whose values stands for a body that is empty, as after 204 (No Content).
public protocol EmptyDecodable: Decodable {
    /// The value that an empty body means.
    static var emptyValue: Self { get }
}
