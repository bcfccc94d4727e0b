// SPDX-License-Identifier: Apache-2.0
import Crypto
import DemoServer
import Foundation
import Synchronization

/// Stores objects for clients that sign their requests: computes each signature again and compares.
final class ObjectServer: Sendable {
    /// The maximum difference between the time of a request and the server's clock, in seconds, as at AWS.
    private static let tolerance: TimeInterval = 5 * 60

    private let account: Account
    private let signature: SignatureV4
    private let objects = Mutex<[String: [UInt8]]>([:])

    init(account: Account, signature: SignatureV4) { (self.account, self.signature) = (account, signature) }

    func answer(_ request: DemoRequest) -> DemoAnswer {
        if let reason = self.refusal(of: request) { return .text("\(reason)\n", status: 403) }
        switch request.method {
        case "PUT":
            self.objects.withLock { $0[request.path] = request.body }
            return .text("stored \(request.body.count) bytes\n", status: 201)
        case "GET":
            return self.objects.withLock { $0[request.path] }.map { DemoAnswer(body: $0) } ?? .notFound
        default:
            return .text("GET or PUT\n", status: 405)
        }
    }

    /// Returns the reason for refusing a request, or `nil` if its signature is correct.
    private func refusal(of request: DemoRequest) -> String? {
        guard let authorization = request["authorization"] else { return "MissingAuthenticationToken" }
        guard let time = request["x-amz-date"].flatMap({ SigningTime($0) }) else { return "IncompleteSignature" }
        guard abs(time.date.timeIntervalSinceNow) <= Self.tolerance else { return "RequestTimeTooSkewed" }
        let names = Self.part("SignedHeaders", of: authorization).split(separator: ";").map(String.init)
        guard names.contains("host"), names.contains("x-amz-date") else { return "IncompleteSignature" }
        let canonical = CanonicalRequest(
            method: request.method,
            target: request.target,
            fields: Dictionary(names.map { ($0, request[$0] ?? "") }, uniquingKeysWith: { first, _ in first }),
            bodyHash: SignatureV4.hash(Data(request.body))
        )
        let expected = self.signature.authorization(for: canonical, by: self.account, at: time)
        // Compare digests instead of the texts, so that the duration does not reveal where the texts differ.
        let isEqual = SHA256.hash(data: Data(expected.utf8)) == SHA256.hash(data: Data(authorization.utf8))
        return isEqual ? nil : "SignatureDoesNotMatch"
    }

    /// Returns a part of `Authorization`, such as `SignedHeaders=host;x-amz-date`.
    private static func part(_ name: String, of authorization: String) -> Substring {
        guard let start = authorization.firstRange(of: "\(name)=")?.upperBound else { return "" }
        return authorization[start...].prefix { $0 != "," }
    }
}
