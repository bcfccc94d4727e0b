// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPTypes
import TernAuthentication
import TernCacheStores
import TernCaching
import TernRequests
import TernTransport

extension CacheKey {
    init(_ call: HTTPCall) {
        self.init(call.destination, unixSocketPath: call.request.options.unixSocketPath)
    }
}

/// Selects the stored responses that may answer a request: by `Vary`, credentials, sensitive fields, and decoding.
struct CacheSelector: Sendable {
    /// The names of further entries to compare, which no field that the client sends has.
    private static let (credential, coding) = ("tern-credential", "tern-coding")
    /// The fields to compare even if `Vary` does not name them, because one client may act for several users.
    private static let nominated = ["authorization", Self.credential, Self.coding]

    private let fields: HTTPFields
    /// The secret key for the digests, without which an attacker cannot test which credential matches a digest.
    private let digestKey: SymmetricKey
    /// The names of sensitive fields, which like credentials belong to one user.
    private let secrets: [String]

    init(_ call: HTTPCall, isDecoding: Bool, digestKey: SymmetricKey) {
        var fields = call.request.fields
        self.digestKey = digestKey
        Self.set(Self.credential, Self.signIn(call), in: &fields)
        let isDecoded = call.request.options.decodesContent ?? isDecoding
        Self.set(Self.coding, isDecoded ? nil : "kept", in: &fields)
        let marked = fields.filter { $0.indexingStrategy == .disallow }.map(\.name)
        self.fields = fields
        self.secrets = call.request.options.sensitiveFields.union(marked).map(\.canonicalName).sorted()
    }

    /// Returns the field values that a later request must have to get this response; `nil` if the response answers no other, or
    /// if `Vary` names a field that a later stage wrote, such as another credential than the request's own.
    func variant(_ response: HTTPFields, sent: HTTPFields?) -> StoredResponse.Variant? {
        let vary = response[values: .vary]
        if let sent, !vary.isEmpty {
            guard let named = StoredResponse.Variant(vary: vary, request: self.fields, digest: self.digest),
                named.matches(sent, digest: self.digest)
            else { return nil }
        }
        return StoredResponse.Variant(
            vary: vary + Self.nominated + self.secrets,
            request: self.fields,
            digest: self.digest
        )
    }

    func matches(_ stored: StoredResponse) -> Bool {
        let nominations = stored.variant.nominations
        guard self.secrets.allSatisfy({ name in nominations.contains { $0.name == name } }) else { return false }
        return stored.variant.matches(self.fields, digest: self.digest)
    }

    /// Returns the digest that the cache stores in place of a value (HMAC with SHA-256, RFC 2104), against guessing.
    private func digest(_ text: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: self.digestKey)
            .withUnsafeBytes { Hexadecimal.digits(of: $0) }
    }

    /// A digest of all fields of the request, which two requests share only if they are equal, whatever `Vary` will name.
    var digest: String {
        self.digest(self.fields.map { "\($0.name.canonicalName): \($0.value)" }.joined(separator: "\n"))
    }

    private static func signIn(_ call: HTTPCall) -> String? {
        var parts: [String?] = []
        switch call.request.options.credential?.credential.content {
        case .password(let user, let password)?: parts += ["password", user, password]
        case .token(let token)?: parts += ["token", token]
        default: break
        }
        if let info = call.destination.userInfo { parts += ["url", info.user, info.password] }
        guard !parts.isEmpty else { return nil }
        return CacheKey.digest(parts.map { $0.map(CacheKey.digest) ?? "-" }.joined(separator: "\n"))
    }

    private static func set(_ name: String, _ value: String?, in fields: inout HTTPFields) {
        if let name = HTTPField.Name(name) { fields[name] = value }
    }
}
