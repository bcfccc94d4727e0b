// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import HTTPTypes
import TernErrors
import TernRequests

/// Reads bytes as a URL or a reference, as in `Location`, and traps if the result has another meaning.
///
/// The meaning changes if an escape is encoded again, if the host is another one, or if `URL` changes the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzURLReference(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let trimmed = Array(bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    let authority = authority(of: trimmed)
    let reference: URLReference
    do throws(RequestFailure) {
        reference = try URLReference(bytes: bytes)
    } catch {
        precondition(trimmed.isEmpty || error == .malformedHost && authority != nil, "refused without a reason")
        return 0
    }
    let text = Array(reference.text.utf8)
    precondition(!text.contains(UInt8(ascii: "\\")), "a backslash")
    precondition(text.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a space or a control character")
    precondition(decoded(text) == decoded(trimmed), "another meaning")
    precondition(host(of: text) == host(of: trimmed), "another host")
    precondition((try? URLReference(bytes: text)) == reference, "not the same again")
    precondition((try? URLReference(reference.text)) == reference, "not the same as text")
    let isASCII = text.allSatisfy { $0 < 0x80 }
    precondition(isASCII || bareHost(text).contains { $0 >= 0x80 }, "a byte that is not ASCII outside of the host")
    if let url = try? reference.url(), isASCII { check(url, reference) }
    let request = Request(.get, String(decoding: bytes, as: UTF8.self))
    if let destination = try? request.destination() {
        check(destination, text)
        if let target = BrowserTarget.target(destination.target, of: bytes) {
            let (before, after) = (Array(destination.target.utf8), Array(target.utf8))
            precondition(after.first == UInt8(ascii: "/") && !after.contains(UInt8(ascii: "#")), "no target")
            precondition(after.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a byte that breaks the request line")
            precondition(decoded(after) == decoded(before), "another target")
        }
    }
    return 0
}

/// Checks the invariants of a Foundation `URL` that is created from the text.
func check(_ url: URL, _ reference: URLReference) {
    let isSent = (try? Destination(url)) != nil || url.scheme == nil && authority(of: Array(reference.text.utf8)) == nil
    precondition(!isSent || url.relativeString == reference.text, "Foundation changes the text")
    guard let base = URL(string: "http://base.example/a/b?c"),
        let resolved = try? Destination(reference.url(relativeTo: base).absoluteURL)
    else { return }
    let bytes = Array(reference.text.utf8)
    guard authority(of: bytes) == nil, url.scheme == nil else { return }
    precondition(resolved.origin.host == "base.example", "a path that leads to another host")
}

/// Checks the invariants of a request's destination.
func check(_ destination: Destination, _ text: [UInt8]) {
    precondition(!destination.hostField.contains("%"), "a zone in Host")
    precondition(destination.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a byte that breaks the request line")
    let named = String(decoding: bareHost(text), as: UTF8.self)
    if named.contains(":") { return }
    precondition(destination.origin.host == named.lowercased(), "connected to another host")
}

func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

/// Returns the text with its escapes decoded once.
///
/// A percent sign that does not begin an escape is unchanged.
func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var (output, index) = ([UInt8](), 0)
    while index < bytes.count {
        let digits = bytes[index...].dropFirst().prefix(2)
        let isEscape =
            bytes[index] == UInt8(ascii: "%") && digits.count == 2 && !digits.contains { "+-".utf8.contains($0) }
        if isEscape, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
            output.append(value)
            index += 3
        } else {
            output.append(bytes[index])
            index += 1
        }
    }
    return output
}

/// Returns the text between `//` and the path (RFC 3986 Appendix B); `nil` if the text has no `//` at the beginning or
/// after a scheme.
func authority(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = bytes[...]
    let scheme = bytes.prefix { !":/?#".utf8.contains($0) }
    let isLetter = { (byte: UInt8) in (byte | 0x20) &- UInt8(ascii: "a") < 26 }
    let isScheme =
        scheme.first.map(isLetter) ?? false
        && scheme.allSatisfy { byte in
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
        }
    if isScheme, scheme.endIndex < bytes.endIndex, bytes[scheme.endIndex] == UInt8(ascii: ":") {
        rest = bytes[(scheme.endIndex + 1)...]
    }
    guard rest.starts(with: "//".utf8) else { return nil }
    return rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
}

/// Returns the host with its port.
func host(of bytes: [UInt8]) -> [UInt8]? {
    authority(of: bytes).map {
        Array($0.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? [])
    }
}

/// Returns the host without its port.
func bareHost(_ bytes: [UInt8]) -> [UInt8] {
    let host = host(of: bytes) ?? []
    guard let first = host.first, first != UInt8(ascii: "[") else {
        return Array(host.prefix { $0 != UInt8(ascii: "]") })
    }
    return Array(host.prefix { $0 != UInt8(ascii: ":") })
}
