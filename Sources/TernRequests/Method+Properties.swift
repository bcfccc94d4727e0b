// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

extension HTTPRequest.Method {
    /// The safe methods: "their defined semantics are essentially read-only" (RFC 9110 §9.2.1).
    package static let safe: [HTTPRequest.Method] = [.get, .head, .options, .trace]

    /// The idempotent methods: "PUT, DELETE, and safe request methods" (RFC 9110 §9.2.2).
    package static let idempotent = Self.safe + [.put, .delete]

    /// Whether a client asks for nothing but an answer by it; no method that is unknown is safe.
    package var isSafe: Bool { Self.safe.contains(self) }

    /// Whether several equal requests are as good as one; no method that is unknown is idempotent.
    package var isIdempotent: Bool { Self.idempotent.contains(self) }
}
