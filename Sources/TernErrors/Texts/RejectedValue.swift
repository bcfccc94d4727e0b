// SPDX-License-Identifier: Apache-2.0

package enum RejectedValue {
    /// Returns a predicate such as `is NaN, which is not a finite number`; any value that is not such a number may be a secret.
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
