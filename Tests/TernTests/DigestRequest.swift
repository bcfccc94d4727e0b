// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPTypes
import TernTesting

/// The `Authorization` of a request with Digest, SHA-256 and `auth`, as a server reads it.
///
/// The code is independent of the client's code.
struct DigestRequest {
    let parameters: [String: String]
    private let asked: String

    /// Reads the field; `nil` if it is missing.
    init?(_ request: ReceivedRequest) {
        guard let value = request.fields[.authorization], value.hasPrefix("Digest ") else { return nil }
        var parameters: [String: String] = [:]
        for part in value.dropFirst("Digest ".count).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            parameters[String(pair[0].drop { $0 == " " })] = pair[1].filter { $0 != "\"" }
        }
        self.parameters = parameters
        self.asked = "\(request.method):\(request.target)"
    }

    var nonce: String { self.parameters["nonce"] ?? "" }

    /// Returns whether the request proves that its sender knows a password.
    func knows(_ user: String, _ password: String, realm: String) -> Bool {
        let tail = [self.nonce, self.parameters["nc"] ?? "", self.parameters["cnonce"] ?? "", "auth"]
        let secret = Self.hash("\(user):\(realm):\(password)")
        let expected = Self.hash("\(secret):\(tail.joined(separator: ":")):\(Self.hash(self.asked))")
        return self.parameters["response"] == expected
    }

    private static func hash(_ text: String) -> String {
        SHA256.hash(data: Array(text.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
