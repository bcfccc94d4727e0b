// SPDX-License-Identifier: Apache-2.0

/// Bearer (RFC 6750): the same value for every request, until there is another token.
enum BearerFlow {
    /// The value of `Authorization` (§2.1).
    static func fieldValue(token: String) throws(AuthorizationFailure) -> String {
        // §2.1: b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"=", which is token68.
        guard FieldText.isToken68(token) else { throw .invalidToken }
        return "Bearer \(token)"
    }
}
