// SPDX-License-Identifier: Apache-2.0

/// A dictionary of byte sequences (RFC 9651 §4.2.2), such as `sha-256=:X48E9q…:, id=:AA==:`.
///
/// A member of another type is a violation. Parameters are checked, and then ignored.
struct ByteSequenceDictionary {
    /// The maximum number of digests in a field.
    ///
    /// There are far fewer hash algorithms.
    static let maximumMemberCount = 32

    /// "If dictionary already contains a key … overwrite its value" (RFC 9651 §4.2.2).
    private(set) var members: [String: [UInt8]] = [:]

    /// Parses all lines of the field, together at most 16 KiB; a digest has fewer than 100 bytes.
    init(_ lines: [[UInt8]]) throws(DigestViolation) {
        guard var scanner = StructuredFieldScanner(lines) else {
            throw .tooLong(limit: StructuredFieldScanner.maximumByteCount)
        }
        while !scanner.isAtEnd { try self.readMember(from: &scanner) }
    }

    private mutating func readMember(from scanner: inout StructuredFieldScanner) throws(DigestViolation) {
        guard let key = scanner.readKey() else { throw .invalidKey }
        // A member without `=` has the Boolean value true. A value that does not begin with a colon is a list, or an
        // item of another type.
        guard scanner.read("="), scanner.current == UInt8(ascii: ":") else { throw .notByteSequence }
        guard let value = scanner.readByteSequence() else { throw .invalidByteSequence }
        guard scanner.skipParameters() else { throw .invalidParameter }
        self.members[key] = value
        guard self.members.count <= Self.maximumMemberCount else {
            throw .tooManyMembers(limit: Self.maximumMemberCount)
        }
        guard scanner.readSeparator() else { throw .invalidSeparator }
    }
}
