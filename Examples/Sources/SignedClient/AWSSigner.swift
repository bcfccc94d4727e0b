// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// Signs each request that a client sends to one origin, after redirects and interceptors have changed the request.
struct AWSSigner: RequestSigner {
    let account: Account
    let signature: SignatureV4
    /// The origin whose requests are signed; after a redirect to another host, the request gets no signature.
    let origin: Origin
    var now: @Sendable () -> Date = { Date() }

    func fields(signing request: SignableRequest) async throws -> HTTPFields {
        guard request.origin == self.origin else { return [:] }
        let time = SigningTime(self.now())
        let bodyHash = try BodyHash.of(request.body)
        var added = ["x-amz-date": time.text]
        added["x-amz-security-token"] = self.account.sessionToken
        if self.isObjectStore { added["x-amz-content-sha256"] = bodyHash }

        let canonical = CanonicalRequest(
            method: request.method.rawValue,
            target: request.target,
            fields: Self.signed(request).merging(added) { _, added in added },
            bodyHash: bodyHash,
            encodesPathTwice: !self.isObjectStore
        )
        added["authorization"] = self.signature.authorization(for: canonical, by: self.account, at: time)
        var fields = HTTPFields()
        for (name, value) in added {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }

    private var isObjectStore: Bool { self.signature.service == "s3" }

    /// Returns the fields to sign: those that proxies do not change.
    private static func signed(_ request: SignableRequest) -> [String: String] {
        var signed = ["host": request.host]
        for field in request.fields {
            let name = field.name.canonicalName
            guard name == "content-type" || name.hasPrefix("x-amz-") else { continue }
            signed[name] = signed[name].map { "\($0),\(field.value)" } ?? field.value
        }
        return signed
    }
}
