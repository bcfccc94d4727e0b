// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernDigests
import TernErrors
import TernRequests

/// Reads lines as the values of `Content-Digest`, and traps if writing and reading the digests changes them.
///
/// The target also checks content against digests in the head and in the trailers, and traps on a wrong result.
///
/// The lines before an empty line are the field; the rest is the content.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDigestField(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let parts = UnsafeBufferPointer(start: start, count: count).split(
        separator: 0x0A,
        omittingEmptySubsequences: false
    )
    let lines = parts.prefix { !$0.isEmpty }.map { Array($0) }
    let content = parts.dropFirst(lines.count + 1).joined(separator: [0x0A]).map(\.self)
    var hasher = ContentHasher(HashAlgorithm.active)
    // Passes the content in two pieces; the input chooses where to cut.
    let cut = content.isEmpty ? 0 : Int(content[0]) % content.count
    content[..<cut].withUnsafeBytes { hasher.update($0) }
    content[cut...].withUnsafeBytes { hasher.update($0) }
    let computed = hasher.finalize()
    let field = try? DigestField(parsing: lines)
    if let field {
        precondition(field.digests.allSatisfy { $0.value.count == ($0.key == .sha256 ? 32 : 64) }, "another length")
        let again = try? DigestField(parsing: [Array(field.text.utf8)])
        precondition(again == field, "what was written is read otherwise")
    }
    // The expected result for the digests of the field. Computed digests always pass.
    let isRight = field.map { $0.digests.allSatisfy { computed.digests[$0.key] == $0.value } }
    var fields = HTTPFields()
    for line in lines { fields.append(HTTPField(name: .contentDigest, value: line)) }
    // `HTTPField` replaces characters that a field must not contain by spaces.
    guard fields[fields: .contentDigest].map({ $0.withUnsafeBytesOfValue { Array($0) } }) == lines else { return 0 }
    for checking in [DigestChecking.ifPresent, .required] {
        let head = passes(checking, head: fields, trailers: nil, content)
        let trailer = passes(checking, head: [:], trailers: fields, content)
        let expected =
            lines.isEmpty
            ? checking == .ifPresent
            : isRight.map { isRight in
                isRight && (checking == .ifPresent || field?.digests.isEmpty == false)
            } ?? false
        precondition(head == expected, "the head is judged otherwise")
        precondition(trailer == expected, "the trailers are judged otherwise")
    }
    return 0
}

/// Returns whether the client accepts a response.
func passes(_ checking: DigestChecking, head: HTTPFields, trailers: HTTPFields?, _ content: [UInt8]) -> Bool {
    let plan = DigestCheck.plan(
        checking,
        method: .get,
        statusCode: 200,
        head: head,
        canHaveTrailers: trailers != nil
    )
    switch plan {
    case .pass: return true
    case .refuse: return false
    case .check(var check):
        content.withUnsafeBytes { check.update($0) }
        do throws(DigestFailure) {
            try check.finish(trailers: trailers)
            return true
        } catch {
            return false
        }
    }
}
