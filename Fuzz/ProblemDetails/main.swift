// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HTTPTypes
import TernErrors
import TernValidation

/// Reads bytes as problem details and media types, and traps if writing and reading the values changes them.
///
/// Each line is read as a media type, and as the value of `Accept`. All lines together are the values of `Content-Type`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProblemDetails(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    if let details = ProblemDetails(json: Data(bytes)) {
        precondition(details.status.map { 100..<600 ~= $0 } ?? true, "a status that is none")
        precondition(details.extensions["title"] == nil, "a known member among the unknown")
    }
    for line in bytes.split(separator: 0x0A) {
        let text = String(decoding: line, as: UTF8.self)
        if let type = MediaType(text) { check(type) }
        if let ranges = MediaRange.ranges(accept: text) {
            precondition(ranges.count <= MediaRange.maximumCount, "too many ranges")
        }
    }
    var fields = HTTPFields()
    fields[values: .contentType] = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    if let type = MediaType(of: fields) { check(type) }
    return 0
}

/// Checks the invariants of accepted values.
func check(_ type: MediaType) {
    precondition(!type.type.isEmpty && !type.subtype.isEmpty, "half a type")
    precondition(type.essence == type.essence.lowercased(), "upper case")
    precondition(Set(type.parameters.map(\.name)).count == type.parameters.count, "a parameter twice")
    let parameters = type.parameters.map { parameter in
        let bytes = parameter.value.utf8.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }
        return ";\(parameter.name)=\"\(String(decoding: bytes, as: UTF8.self))\""
    }
    // The written text is quoted, so it may be longer than the input.
    let written = type.essence + parameters.joined()
    guard written.utf8.count <= MediaType.maximumByteCount else { return }
    precondition(MediaType(written) == type, "another type")
    if let range = MediaRange(written) { precondition(range.contains(type), "a type outside of itself") }
}
