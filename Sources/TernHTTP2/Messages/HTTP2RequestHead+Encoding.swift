// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
@_spi(CrossModuleInlining) import TernFields

extension HTTP2RequestHead {
    package func encode(endsStream: Bool, with encoder: inout HPACKEncoder, into output: inout [UInt8]) {
        encoder.beginBlock(into: &output)
        encoder.encode(":method", self.method.rawValue, .incremental, into: &output)
        if !self.isPlainConnect {
            encoder.encode(":scheme", self.scheme, .incremental, into: &output)
            encoder.encode(":path", self.path, .none, into: &output)
        }
        let authority = self.sentAuthority
        if !authority.isEmpty { encoder.encode(":authority", authority, .incremental, into: &output) }
        if let name = self.protocolName { encoder.encode(":protocol", name, .incremental, into: &output) }
        encoder.encode(self.fields, into: &output)
        if let length = self.sentBodyByteCount(endsStream) {
            encoder.encode("content-length", "\(length)", .none, into: &output)
        }
        if self.expectsContinue, !endsStream, !self.steering.hasExpectation {
            encoder.encode("expect", "100-continue", .incremental, into: &output)
        }
    }

    /// The length of the field list, or a little more, in bytes as RFC 9113 §6.5.2 counts them.
    var listByteCountUpperBound: Int {
        // Count the 7 fields that are not in `fields`: the pseudo-fields, `content-length` and `expect`. Their names,
        // the length and `100-continue` take at most 90 bytes.
        var byteCount = 7 * 32 + 90 + self.method.rawValue.utf8.count + self.scheme.utf8.count
        byteCount += self.path.utf8.count + self.sentAuthority.utf8.count + (self.protocolName?.utf8.count ?? 0)
        // For each field, the summary counts 4 bytes in addition to the name and the value.
        byteCount += self.steering.byteCount + (32 - 4) * self.fields.count
        guard self.steering.hasCookie else { return byteCount }
        // For each further cookie of a field, the list has `cookie` and 32 bytes more, and 2 bytes fewer for the `; `.
        for field in self.fields where SteeringField(field.name) == .cookie {
            byteCount += 36 * field.withUnsafeBytesOfValue { value in value.count { $0 == UInt8(ascii: ";") } }
        }
        return byteCount
    }

    /// The `Host` field, or else ``authority``: "Clients that generate HTTP/2 requests directly MUST use the ":authority"
    /// pseudo-header field to convey authority information" (RFC 9113 §8.3.1).
    private var sentAuthority: String {
        guard self.steering.hostCount > 0 else { return self.authority }
        return self.fields.first { SteeringField($0.name) == .host }?.value ?? self.authority
    }

    /// Returns the value of `content-length`, 0 for a POST, PUT or PATCH without a body (RFC 9110 §8.6); `nil` to send none.
    private func sentBodyByteCount(_ endsStream: Bool) -> Int64? {
        guard endsStream, self.bodyByteCount == nil else { return self.bodyByteCount }
        switch self.method {
        case .post, .put, .patch: return 0
        default: return nil
        }
    }
}

extension HPACKEncoder {
    fileprivate mutating func encode(
        _ name: StaticString,
        _ value: String,
        _ indexing: Indexing,
        into output: inout [UInt8]
    ) {
        withBytes(of: value) { self.encode(name, bytes: $0, indexing, into: &output) }
    }

    private mutating func encode(
        _ name: StaticString,
        bytes value: UnsafeRawBufferPointer,
        _ indexing: Indexing,
        into output: inout [UInt8]
    ) {
        let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        self.encode(name: name, value: value, indexing, into: &output)
    }

    /// Appends the fields of a request or of its trailers, except those that must not be sent.
    mutating func encode(_ fields: HTTPFields, into output: inout [UInt8]) {
        for field in fields {
            let kind = RequestFieldKind(field.name.canonicalName)
            switch kind {
            case .host, .connectionSpecific, .framing, .malformed: continue
            case .te: self.encodeTE(field, into: &output)
            case .cookie: self.encodeCrumbs(of: field, into: &output)
            case .plain, .volatile, .secret:
                let strategy = field.indexingStrategy  // a use of `field` in the closure would copy the field
                withBytes(of: field.name.canonicalName) { name in
                    field.withUnsafeBytesOfValue { value in
                        let value = UnsafeRawBufferPointer(value)
                        let indexing = kind.indexing(strategy, valueByteCount: value.count)
                        self.encode(name: name, value: value, indexing, into: &output)
                    }
                }
            }
        }
    }

    /// Appends `te: trailers` if a `TE` field contains it: "it MUST NOT contain any value other than "trailers"" (RFC 9113 §8.2.2).
    private mutating func encodeTE(_ field: HTTPField, into output: inout [UInt8]) {
        let members = field.value.split { $0 == "," || $0 == " " || $0 == "\t" }
        guard members.contains(where: { $0.lowercased() == "trailers" }) else { return }
        self.encode("te", "trailers", .incremental, into: &output)
    }

    /// Appends a field for each cookie: "To allow for better compression efficiency, the Cookie header field MAY be split into
    /// separate header fields, each with one or more cookie-pairs" (RFC 9113 §8.2.3).
    private mutating func encodeCrumbs(of field: HTTPField, into output: inout [UInt8]) {
        let strategy = field.indexingStrategy
        field.withUnsafeBytesOfValue { value in
            let view = ByteView(UnsafeRawBufferPointer(value))
            var start = 0
            while true {
                let end = Self.endOfCrumb(view, from: start)
                let crumb = view.part(start..<(end ?? view.count))
                let indexing = RequestFieldKind.cookie.indexing(strategy, valueByteCount: crumb.count)
                self.encode("cookie", bytes: crumb, indexing, into: &output)
                guard let end else { return }
                start = end + 2
            }
        }
    }

    /// Returns the offset of the first semicolon that is followed by a space and more text.
    private static func endOfCrumb(_ value: ByteView, from start: Int) -> Int? {
        var start = start
        while let place = value.first(UInt8(ascii: ";"), from: start, to: value.count), place + 2 < value.count {
            if value[place + 1] == UInt8(ascii: " ") { return place }
            start = place + 1
        }
        return nil
    }
}
