// SPDX-License-Identifier: Apache-2.0

/// A type that has a value for an empty body, as after 204 (No Content).
public protocol EmptyDecodable: Decodable {
    /// The value that an empty body stands for.
    static var emptyValue: Self { get }
}
