// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernCaching
import TernRequests

/// Reads lines as the fields of a response, makes cache decisions with them, and traps if a decision breaks a rule.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCacheControl(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let lines = UnsafeBufferPointer(start: start, count: count).split(separator: 0x0A).map {
        String(decoding: $0, as: UTF8.self)
    }
    let control = CacheControl(lines)
    for seconds in [
        control.maxAge, control.maxStale, control.minFresh, control.staleIfError, control.staleWhileRevalidate,
    ] {
        precondition(seconds.map { (0...CacheControl.maximumSeconds).contains($0) } ?? true, "a time out of range")
    }
    if lines.contains(where: { $0.lowercased() == "no-store" }) { precondition(control.noStore, "no-store was lost") }
    for line in lines {
        if let date = HTTPDate(line, now: HTTPDate(secondsSince1970: 1_700_000_000)) {
            precondition(HTTPDate(date.description, now: date) == date, "another date")
        }
    }
    decide(lines)
    return 0
}

/// Uses each line as the value of the next relevant field.
func decide(_ lines: [String]) {
    let names: [HTTPField.Name] = [.cacheControl, .expires, .date, .age, .lastModified, .eTag, .vary, .connection]
    var fields = HTTPFields()
    for (line, name) in zip(lines, names) where HTTPField.isValidValue(line) {
        fields.append(HTTPField(name: name, value: line))
    }
    let now: Int64 = 1_700_000_000
    let stored = StoredResponse(statusCode: 200, fields: fields, requestTime: now, responseTime: now)
    let freshness = Freshness(stored)
    for time in [Int64.min, 0, now, now + 60, .max] {
        precondition((0...CacheControl.maximumSeconds).contains(freshness.age(at: time)), "an age out of range")
        for policy in [CachePolicy.useProtocol, .revalidate, .reload, .returnCachedElseLoad, .onlyCached] {
            guard case .serve(let isStale) = CacheDecision(fields, policy, stored: stored, now: time) else { continue }
            precondition(freshness.control.noCache != .all, "no-cache was served")
            precondition(isStale != freshness.isFresh(at: time), "stale and fresh")
            precondition(!isStale || !freshness.control.mustRevalidate, "must-revalidate was served stale")
        }
    }
    _ = StoredResponse.Variant(vary: lines, request: fields) { $0 }
    _ = stored.updated(by: fields, requestTime: now, responseTime: now).servedFields(at: now)
}
