// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
package import TernRequests

/// Checks the content of one response against the digests in its head and in its trailers (RFC 9530).
package struct DigestCheck: Sendable {
    private struct Expectation {
        var field: HTTPField.Name
        var algorithm: HashAlgorithm
        var digest: [UInt8]
    }

    package enum Plan: Sendable {
        /// There is nothing to check, or the caller requested no check.
        case pass
        /// Hash the content with this check, then compare the digests.
        case check(DigestCheck)
        /// Refuse the response, because a digest in its head is missing or malformed.
        case refuse(DigestFailure)
    }

    /// The preferences in `Want-Content-Digest`, from 1 to 10 (RFC 9530 §4): SHA-256 first, because most servers and this client
    /// compute it faster.
    package static let wanted = "sha-256=10, sha-512=5"

    private let fields: [HTTPField.Name]
    private let expectations: [Expectation]
    private let isRequired: Bool
    private var hasher: ContentHasher

    private init(
        _ fields: [HTTPField.Name],
        _ expectations: [Expectation],
        _ algorithms: Set<HashAlgorithm>,
        isRequired: Bool
    ) {
        self.fields = fields
        self.expectations = expectations
        self.isRequired = isRequired
        self.hasher = ContentHasher(algorithms)
    }

    /// Returns the action for a response, given its head.
    package static func plan(
        _ checking: DigestChecking,
        method: HTTPRequest.Method,
        statusCode: Int,
        head: HTTPFields,
        canHaveTrailers: Bool
    ) -> Plan {
        guard checking != .off, Self.hasContent(method, statusCode) else { return .pass }
        let fields = Self.fields(statusCode, head)
        let expectations: [Expectation]
        do throws(DigestFailure) {
            expectations = try Self.expectations(fields, in: head)
        } catch {
            return .refuse(error)
        }
        var algorithms = Set(expectations.map(\.algorithm))
        if canHaveTrailers, expectations.isEmpty || Self.promises(fields, in: head) {
            // Compute all digests, because the trailers may contain any of them. "A sender SHOULD generate a Trailer
            // header field" (RFC 9110 §6.6.2), but need not. So trailers may follow even if the head has no `Trailer`.
            algorithms = Set(HashAlgorithm.active)
        }
        guard !algorithms.isEmpty else { return checking == .required ? .refuse(.missing) : .pass }
        return .check(DigestCheck(fields, expectations, algorithms, isRequired: checking == .required))
    }

    /// Hashes the next bytes as received, before their content coding is decoded.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) { self.hasher.update(bytes) }

    /// Compares the digests after the last ``update(_:)``; throws if one differs or is malformed, or if none is there but
    /// required.
    package func finish(trailers: HTTPFields?) throws(DigestFailure) {
        let computed = self.hasher.finalize().digests
        var comparisonCount = 0
        let late = try trailers.map { trailers throws(DigestFailure) in try Self.expectations(self.fields, in: trailers)
        }
        for expectation in self.expectations + (late ?? []) {
            // Skip a digest that was not computed. It arrived in the trailers without an announcement, and the head has
            // a digest for another algorithm, which is compared.
            guard let digest = computed[expectation.algorithm] else { continue }
            guard digest == expectation.digest else {
                throw .mismatch(algorithm: expectation.algorithm.rawValue, field: expectation.field.rawName)
            }
            comparisonCount += 1
        }
        if self.isRequired, comparisonCount == 0 { throw .missing }
    }

    // MARK: The head

    /// "Any response to a HEAD request and any response with a 1xx …, 204 (No Content), or 304 (Not Modified) status code is
    /// always terminated by the first empty line" (RFC 9112 §6.3).
    private static func hasContent(_ method: HTTPRequest.Method, _ statusCode: Int) -> Bool {
        method != .head && statusCode >= 200 && statusCode != 204 && statusCode != 304
    }

    /// Returns the fields with digests of the content; `Repr-Digest` describes the whole representation (RFC 9530 §3),
    /// which is the content only of a 200 or 203 without `Content-Range`: some servers answer a request for a range with 200.
    private static func fields(_ statusCode: Int, _ head: HTTPFields) -> [HTTPField.Name] {
        let isWhole = (statusCode == 200 || statusCode == 203) && !head.contains(.contentRange)
        return isWhole ? [.contentDigest, .reprDigest] : [.contentDigest]
    }

    private static func expectations(
        _ names: [HTTPField.Name],
        in fields: HTTPFields
    ) throws(DigestFailure) -> [Expectation] {
        var expectations: [Expectation] = []
        for name in names where fields.contains(name) {
            do throws(DigestViolation) {
                for (algorithm, digest) in try DigestField(name, in: fields).digests {
                    expectations.append(Expectation(field: name, algorithm: algorithm, digest: digest))
                }
            } catch {
                throw .malformed(field: name.rawName)
            }
        }
        return expectations
    }

    /// Returns whether the `Trailer` field announces one of these fields (RFC 9110 §6.6.2).
    private static func promises(_ names: [HTTPField.Name], in head: HTTPFields) -> Bool {
        head[values: .trailer].contains { value in
            value.split { $0 == "," || $0 == " " || $0 == "\t" }.contains { word in
                names.contains { $0.canonicalName == word.lowercased() }
            }
        }
    }
}
