// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
package import TernRequests

/// Checks the content of one response against its digests (RFC 9530), in its head and behind its body.
package struct DigestCheck: Sendable {
    /// A digest that the content must have.
    private struct Expectation {
        var field: HTTPField.Name
        var algorithm: HashAlgorithm
        var digest: [UInt8]
    }

    /// What is to be done with a response.
    package enum Plan: Sendable {
        /// There is nothing to check, or it was not asked for.
        case pass
        /// The content is to be hashed and compared.
        case check(DigestCheck)
        /// The head says already that the response cannot be accepted.
        case refuse(DigestFailure)
    }

    /// The preferences that a request sends in `Want-Content-Digest`, from 1 to 10 (RFC 9530 §4): the shorter one is computed
    /// faster, by most servers and by this client.
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

    /// Decides by the head of a response.
    ///
    /// - Parameters:
    ///   - checking: What was asked for.
    ///   - method: The method of the request.
    ///   - statusCode: The status of the response.
    ///   - head: The fields of the response.
    ///   - canHaveTrailers: Whether fields may come behind the body.
    /// - Returns: What is to be done.
    package static func plan(
        _ checking: DigestChecking,
        method: HTTPRequest.Method,
        statusCode: Int,
        head: HTTPFields,
        canHaveTrailers: Bool
    ) -> Plan {
        guard checking != .off, Self.hasContent(method, statusCode) else { return .pass }
        let fields = Self.fields(statusCode)
        let expectations: [Expectation]
        do throws(DigestFailure) {
            expectations = try Self.expectations(fields, in: head)
        } catch {
            return .refuse(error)
        }
        var algorithms = Set(expectations.map(\.algorithm))
        if canHaveTrailers, expectations.isEmpty || Self.promises(fields, in: head) {
            // Which one comes is known when the content has passed. "A sender SHOULD generate a Trailer header field" (RFC 9110
            // §6.6.2), and need not.
            algorithms = Set(HashAlgorithm.allCases)
        }
        guard !algorithms.isEmpty else { return checking == .required ? .refuse(.missing) : .pass }
        return .check(DigestCheck(fields, expectations, algorithms, isRequired: checking == .required))
    }

    /// Hashes more of the content.
    ///
    /// - Parameter bytes: What comes next of it, before its content coding is undone; may be empty.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) { self.hasher.update(bytes) }

    /// Compares the content, of which all has been hashed.
    ///
    /// - Parameter trailers: The fields behind the body; `nil` if there are none.
    /// - Throws: ``DigestFailure``.
    package func finish(trailers: HTTPFields?) throws(DigestFailure) {
        let computed = self.hasher.finalize().digests
        var comparisonCount = 0
        let late = try trailers.map { trailers throws(DigestFailure) in try Self.expectations(self.fields, in: trailers)
        }
        for expectation in self.expectations + (late ?? []) {
            // What is not computed came unannounced, beside a digest in the head that is compared.
            guard let digest = computed[expectation.algorithm] else { continue }
            guard digest == expectation.digest else {
                throw .mismatch(algorithm: expectation.algorithm.rawValue, field: expectation.field.rawName)
            }
            comparisonCount += 1
        }
        if self.isRequired, comparisonCount == 0 { throw .missing }
    }

    // MARK: The head

    /// Whether a response has content: "Any response to a HEAD request and any response with a 1xx …, 204 (No Content), or 304
    /// (Not Modified) status code is always terminated by the first empty line" (RFC 9112 §6.3).
    private static func hasContent(_ method: HTTPRequest.Method, _ statusCode: Int) -> Bool {
        method != .head && statusCode >= 200 && statusCode != 204 && statusCode != 304
    }

    /// The fields that speak of the content.
    ///
    /// `Repr-Digest` is that of the whole representation (RFC 9530 §3), which the content is with 200 and 203 alone: with 206 it
    /// is a part, and with others the field may be about another resource.
    private static func fields(_ statusCode: Int) -> [HTTPField.Name] {
        statusCode == 200 || statusCode == 203 ? [.contentDigest, .reprDigest] : [.contentDigest]
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

    /// Whether `Trailer` names one of the fields (RFC 9110 §6.6.2).
    private static func promises(_ names: [HTTPField.Name], in head: HTTPFields) -> Bool {
        head[values: .trailer].contains { value in
            value.split { $0 == "," || $0 == " " || $0 == "\t" }.contains { word in
                names.contains { $0.canonicalName == word.lowercased() }
            }
        }
    }
}
