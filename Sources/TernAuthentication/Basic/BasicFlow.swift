// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Basic (RFC 7617): the same value for every request.
enum BasicFlow {
    /// The value of `Authorization`.
    ///
    /// Name and password are sent as UTF-8, whether or not the server says `charset="UTF-8"` (§2.1). Without it the
    /// charset is undefined (§2); Chrome and Firefox take UTF-8 as well, curl the bytes of its command line.
    static func fieldValue(user: String, password: String) throws(AuthorizationFailure) -> String {
        // §2: "The user-id and password MUST NOT contain any control characters".
        // §2: "a user-id containing a colon character is invalid, as the first colon in a user-pass string separates
        // user-id and password from one another".
        guard FieldText.isPrintable(user), !user.utf8.contains(UInt8(ascii: ":")) else { throw .invalidUser }
        guard FieldText.isPrintable(password) else { throw .invalidPassword }
        return "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }
}
