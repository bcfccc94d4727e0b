// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

extension RequestHead {
    /// An upper bound for the number of bytes that ``encode(into:)`` writes.
    public var encodedByteCountUpperBound: Int {
        let line = self.method.rawValue.utf8.count + self.target.utf8.count + self.host.utf8.count
        return Self.fixedByteCount + line + self.steering.byteCount
    }

    /// An upper bound for the fixed text in the request line and in `Host`, and for all fields that the encoder may add.
    private static let fixedByteCount = 192

    /// Appends the head, including the empty line.
    ///
    /// `Host` comes first, as RFC 9110 §7.2 asks, then the other fields in their order, and then those that the encoder adds. All
    /// `Cookie` fields become one. A POST, PUT or PATCH without a body gets `Content-Length: 0` (RFC 9110 §8.6).
    ///
    /// - Parameter output: The span to write to; room for ``encodedByteCountUpperBound`` bytes is enough.
    /// - Important: Call this method only for a head that ``validate()`` accepts.
    public func encode(into output: inout OutputRawSpan) {
        output.withUnsafeMutableBytes { buffer, initializedByteCount in
            var writer = ByteWriter(buffer, position: initializedByteCount)
            self.write(to: &writer)
            initializedByteCount = writer.position
        }
    }

    private func write(to writer: inout ByteWriter) {
        writer.write(self.method.rawValue)
        writer.write(UInt8(ascii: " "))
        writer.write(self.target)
        writer.write(" HTTP/1.1\r\nHost: ")
        self.writeHost(to: &writer)
        let hasApart = self.steering.hasApart
        var hasCookie = false
        for field in self.fields {
            switch hasApart ? SteeringField(field.name) : nil {
            case .host, .framing, .malformed: continue
            case .cookie:
                if !hasCookie { self.writeCookies(to: &writer) }
                hasCookie = true
                continue
            case .expect, .te, .upgrade, nil: break
            }
            writer.write(field.name.rawName)
            writer.write(": ")
            field.withUnsafeBytesOfValue { writer.write(UnsafeRawBufferPointer($0)) }
            writer.write("\r\n")
        }
        self.writeFraming(to: &writer)
        if self.expectsContinue, self.hasContent, !self.steering.hasExpectation {
            writer.write("Expect: 100-continue\r\n")
        }
        if self.steering.hasTE, !self.namesTE { writer.write("Connection: TE\r\n") }
        if self.closesConnection { writer.write("Connection: close\r\n") }
        writer.write("\r\n")
    }

    /// Writes one field: "MUST NOT attach more than one Cookie header field" (RFC 6265bis §5.8.1), unlike HTTP/2 (RFC 9113 §8.2.3).
    private func writeCookies(to writer: inout ByteWriter) {
        var isFirst = true
        for field in self.fields where SteeringField(field.name) == .cookie {
            writer.write(isFirst ? "Cookie: " : "; ")
            isFirst = false
            field.withUnsafeBytesOfValue { writer.write(UnsafeRawBufferPointer($0)) }
        }
        writer.write("\r\n")
    }

    private func writeHost(to writer: inout ByteWriter) {
        if self.steering.hostCount > 0, let field = self.fields.first(where: { SteeringField($0.name) == .host }) {
            field.withUnsafeBytesOfValue { writer.write(UnsafeRawBufferPointer($0)) }
        } else {
            writer.write(self.host)
        }
        writer.write("\r\n")
    }

    private func writeFraming(to writer: inout ByteWriter) {
        switch self.bodyFraming {
        case .none:
            switch self.method {
            case .post, .put, .patch: writer.write("Content-Length: 0\r\n")
            default: break
            }
        case .length(let length):
            writer.write("Content-Length: ")
            writer.write(decimal: length)
            writer.write("\r\n")
        case .chunked:
            writer.write("Transfer-Encoding: chunked\r\n")
        }
    }

    /// Whether `Connection` names `TE`: "A sender of TE MUST also send a "TE" connection option" (RFC 9110 §10.1.4).
    private var namesTE: Bool {
        self.fields[values: .connection].contains { value in
            value.split { $0 == "," || $0 == " " || $0 == "\t" }.contains { $0.lowercased() == "te" }
        }
    }

    private var hasContent: Bool {
        switch self.bodyFraming {
        case .none, .length(0): false
        case .length, .chunked: true
        }
    }
}
