// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPTypes
import TernAuthentication
import TernCacheStores
import TernCaching
import TernRequests
import TernTransport

extension CacheKey {
    /// The key of what a call asks for.
    init(_ call: HTTPCall) {
        self.init(call.destination, unixSocketPath: call.request.options.unixSocketPath)
    }
}

/// What counts of a request in addition to its URL, whatever `Vary` says: its user, and whether its content is decoded.
struct CacheSelector: Sendable {
    /// Names of no field that is sent: what is meant is known here only.
    private static let (credential, coding) = ("tern-credential", "tern-coding")
    /// The cache is private, but a client may speak for several users.
    private static let nominated = ["authorization", Self.credential, Self.coding]

    private let fields: HTTPFields
    /// What digests are made with, so that only its owner can try which credential fits one.
    private let digestKey: SymmetricKey
    /// What the caller says is secret is as good as a credential.
    private let secrets: [String]
    private let hasCredential: Bool

    /// - Parameters:
    ///   - call: the call.
    ///   - isDecoding: whether content is decoded where the request does not say: what is stored is what the caller reads.
    ///   - digestKey: the secret of the store.
    init(_ call: HTTPCall, isDecoding: Bool, digestKey: SymmetricKey) {
        var fields = call.request.fields
        let signIn = Self.signIn(call)
        self.digestKey = digestKey
        Self.set(Self.credential, signIn, in: &fields)
        let isDecoded = call.request.options.decodesContent ?? isDecoding
        Self.set(Self.coding, isDecoded ? nil : "kept", in: &fields)
        let marked = fields.filter { $0.indexingStrategy == .disallow }.map(\.name)
        self.fields = fields
        self.hasCredential = signIn != nil
        self.secrets = call.request.options.sensitiveFields.union(marked).map(\.canonicalName).sorted()
    }

    /// Which requests a response with these fields answers.
    ///
    /// - Parameters:
    ///   - response: the fields of the response.
    ///   - sent: those of the request that it answers, as it was sent; `nil` if they are the call's.
    /// - Returns: `nil` if it answers no other request than its own: also if it varies by what was written on the way, since
    ///   of the next request that is not known where the cache is asked.
    func variant(_ response: HTTPFields, sent: HTTPFields?) -> StoredResponse.Variant? {
        let vary = response[values: .vary]
        if let sent, !vary.isEmpty {
            guard var named = StoredResponse.Variant(vary: vary, request: self.fields, digest: self.digest) else {
                return nil
            }
            // That of a credential which the request brings is told apart by the credential.
            if self.hasCredential { named.nominations.removeAll { $0.name == "authorization" } }
            guard named.matches(sent, digest: self.digest) else { return nil }
        }
        return StoredResponse.Variant(
            vary: vary + Self.nominated + self.secrets,
            request: self.fields,
            digest: self.digest
        )
    }

    /// Whether a stored response answers the request.
    func matches(_ stored: StoredResponse) -> Bool {
        let nominations = stored.variant.nominations
        guard self.secrets.allSatisfy({ name in nominations.contains { $0.name == name } }) else { return false }
        return stored.variant.matches(self.fields, digest: self.digest)
    }

    /// The digest of a value that is kept (HMAC with SHA-256, RFC 2104).
    ///
    /// Credentials are short: from a plain hash of one, in a folder that was stolen, it could be guessed.
    private func digest(_ text: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: self.digestKey)
            .withUnsafeBytes { Hexadecimal.digits(of: $0) }
    }

    /// A digest of all that counts, for requests that are to have one answer before its `Vary` is known.
    var digest: String {
        self.digest(self.fields.map { "\($0.name.canonicalName): \($0.value)" }.joined(separator: "\n"))
    }

    /// What the request, or its URL, brings to sign in with.
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
