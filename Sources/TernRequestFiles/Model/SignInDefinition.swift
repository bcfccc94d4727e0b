// SPDX-License-Identifier: Apache-2.0

/// A user and a password in the field `Authorization` of a file, before they are encoded; only in requests that are sent.
package struct SignInDefinition: Hashable, Sendable {
    package enum Scheme: Hashable, Sendable {
        /// RFC 7617.
        case basic
        /// RFC 7616.
        case digest
    }

    package let scheme: Scheme
    package let user: Template
    package let password: Template

    init(scheme: Scheme, _ user: Template, _ password: Template) {
        (self.scheme, self.user, self.password) = (scheme, user, password)
    }
}
