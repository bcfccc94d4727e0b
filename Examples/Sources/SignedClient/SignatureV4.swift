// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// The key of an account.
struct Account: Sendable, CustomStringConvertible {
    var keyID: String
    var secret: String
    /// The session token that belongs to a temporary key; `nil` for other keys.
    var sessionToken: String?

    var description: String { "\(self.keyID):***" }
}

/// Computes signatures of AWS Signature Version 4, only from a request, a key and a time, so that tests can compare them with
/// published vectors.
struct SignatureV4: Sendable {
    static let algorithm = "AWS4-HMAC-SHA256"

    var region: String
    var service: String

    func authorization(for request: CanonicalRequest, by account: Account, at time: SigningTime) -> String {
        let signature = self.signature(for: request, secret: account.secret, at: time)
        let credential = "\(account.keyID)/\(self.scope(time))"
        return
            "\(Self.algorithm) Credential=\(credential), SignedHeaders=\(request.signedNames), Signature=\(signature)"
    }

    /// Returns the signature, 64 hexadecimal digits.
    func signature(for request: CanonicalRequest, secret: String, at time: SigningTime) -> String {
        let text = [Self.algorithm, time.text, self.scope(time), Self.hash(Data(request.text.utf8))]
        return Self.hexadecimal(Self.code(text.joined(separator: "\n"), self.key(secret, time)))
    }

    /// Returns the scope of a signature, such as `20150830/us-east-1/service/aws4_request`.
    func scope(_ time: SigningTime) -> String { "\(time.day)/\(self.region)/\(self.service)/aws4_request" }

    /// Returns the key for a day, a region and a service, which does not reveal the account's secret.
    private func key(_ secret: String, _ time: SigningTime) -> SymmetricKey {
        var key = SymmetricKey(data: Data("AWS4\(secret)".utf8))
        for part in [time.day, self.region, self.service, "aws4_request"] {
            key = SymmetricKey(data: Self.code(part, key))
        }
        return key
    }

    private static func code(_ text: String, _ key: SymmetricKey) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    static func hash(_ data: Data) -> String { Self.hexadecimal(SHA256.hash(data: data)) }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
