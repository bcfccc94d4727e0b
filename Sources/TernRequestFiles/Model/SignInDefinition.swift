// SPDX-License-Identifier: Apache-2.0

/// A user and a password in the field `Authorization` of a file, before they are encoded.
///
/// Only requests that are sent have one; generated code takes a credential from its client.
package struct SignInDefinition: Hashable, Sendable {
    /// A scheme of HTTP authentication that encodes a user and a password.
    package enum Scheme: Hashable, Sendable {
        /// Basic (RFC 7617).
        case basic
        /// Digest (RFC 7616).
        case digest
    }

    /// The scheme.
    package let scheme: Scheme
    /// The name of the user.
    package let user: Template
    /// The password.
    package let password: Template

    init(scheme: Scheme, _ user: Template, _ password: Template) {
        (self.scheme, self.user, self.password) = (scheme, user, password)
    }
}
