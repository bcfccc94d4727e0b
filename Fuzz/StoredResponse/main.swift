// SPDX-License-Identifier: Apache-2.0

import TernCaching

/// Reads bytes as the head of a stored response, and traps if writing and reading the head changes it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStoredResponse(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let response = StoredResponse(decoding: bytes) else { return 0 }
    precondition(StoredResponse(decoding: response.encoded) == response, "another response")
    let freshness = Freshness(response)
    precondition((0...CacheControl.maximumSeconds).contains(freshness.age(at: 0)), "an age out of range")
    _ = response.servedFields(at: 1_700_000_000)
    _ = response.validators
    return 0
}
