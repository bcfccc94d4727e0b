// SPDX-License-Identifier: Apache-2.0

/// Texts about values that an encoder rejected.
package enum RejectedValue {
    /// Returns the predicate of a sentence about a value that an encoder rejected.
    ///
    /// The text names only numbers that are not finite: any other value may be a secret.
    ///
    /// - Parameter value: The value of `EncodingError.invalidValue`.
    /// - Returns: A predicate, such as `is NaN, which is not a finite number`.
    package static func predicate(_ value: Any) -> String {
        // "Numeric values that cannot be represented in the grammar below (such as Infinity and NaN) are not permitted"
        // (RFC 8259 §6).
        guard let number = value as? any BinaryFloatingPoint, !number.isFinite else {
            return "was rejected by the encoder"
        }
        let name = number.isNaN ? "NaN" : number.sign == .minus ? "minus infinity" : "infinity"
        return "is \(name), which is not a finite number"
    }
}
