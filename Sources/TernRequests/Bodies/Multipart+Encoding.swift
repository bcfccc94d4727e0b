// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernFoundation

extension Multipart {
    package var contentType: String { "multipart/form-data; boundary=\(self.boundary)" }

    /// Encodes all parts, in order.
    ///
    /// - Throws: `RequestFailure.boundaryOccursInPart` if a part contains the boundary; `.malformedFieldValue` if a media type
    ///   contains a control character other than a tab, or the name of a part or file contains NUL;
    ///   `.bodyNotEncodable` if a part is a file, because the client reads files only when it sends the request.
    public func encode() throws(RequestFailure) -> Data {
        var body = Data()
        for segment in try self.segments() {
            guard case .data(let data) = segment else {
                throw .bodyNotEncodable("a part is a file, which is read only when the request is sent")
            }
            if body.isEmpty { body = data } else { body.append(data) }
        }
        return body
    }

    package enum Segment: Sendable {
        case data(Data)
        case file(URL)
    }

    /// Returns the segments; files are not searched for the boundary, because its 128 random bits practically never occur.
    package func segments() throws(RequestFailure) -> [Segment] {
        let search = TextSearch(for: self.boundary)
        var segments: [Segment] = []
        var bytes = Data()
        bytes.reserveCapacity(self.parts.reduce(256) { $0 + $1.byteCountInMemory + $1.name.utf8.count + 256 })
        for part in self.parts {
            let head = try self.head(of: part)
            // "Boundary delimiters must not appear within the encapsulated material" (RFC 2046 §5.1.1).
            guard !search.occurs(in: Data(head.utf8)) else { throw .boundaryOccursInPart }
            bytes.append(contentsOf: "--\(self.boundary)\r\n\(head)\r\n".utf8)
            switch part.content {
            case .data(let data):
                guard !search.occurs(in: data) else { throw .boundaryOccursInPart }
                bytes.append(data)
            case .file(let url):
                segments += [.data(bytes), .file(url)]
                bytes = Data()
            }
            bytes.append(contentsOf: "\r\n".utf8)
        }
        bytes.append(contentsOf: "--\(self.boundary)--\r\n".utf8)
        return segments + [.data(bytes)]
    }

    private func head(of part: Part) throws(RequestFailure) -> String {
        var head = "Content-Disposition: form-data; name=\"\(try Self.escape(Self.withNewlines(part.name)))\""
        if let filename = part.filename { head += "; filename=\"\(try Self.escape(filename))\"" }
        head += "\r\n"
        if let contentType = part.contentType {
            guard FieldValue.isValid(contentType) else { throw .malformedFieldValue(name: "Content-Type") }
            head += "Content-Type: \(contentType)\r\n"
        }
        return head
    }

    /// Returns a name with CR and LF for each CR without LF and each LF without CR (WHATWG HTML §4.10.21.8).
    private static func withNewlines(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return name }
        var normalized = ""
        var isAfterReturn = false
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\r": normalized += "\r\n"
            case "\n" where isAfterReturn: break
            case "\n": normalized += "\r\n"
            default: normalized.unicodeScalars.append(scalar)
            }
            isAfterReturn = scalar == "\r"
        }
        return normalized
    }

    /// Percent-encodes what would end the value or the line, as browsers do (WHATWG HTML §4.10.21.8); throws for NUL.
    private static func escape(_ name: String) throws(RequestFailure) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": escaped += "%22"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            case "\0": throw .malformedFieldValue(name: "Content-Disposition")
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Multipart.Part {
    fileprivate var byteCountInMemory: Int {
        if case .data(let data) = self.content { data.count } else { 0 }
    }
}

/// Searches many bytes for one short text, with Horspool's algorithm: after a mismatch, it skips up to the length of the text.
struct TextSearch {
    private let pattern: [UInt8]
    /// For each byte value: the distance to move the text if the input has this byte where the text ends.
    private var shifts: [Int]

    init(for text: String) {
        let pattern = Array(text.utf8)
        precondition(!pattern.isEmpty, "the text to search for must not be empty")
        self.pattern = pattern
        self.shifts = Array(repeating: pattern.count, count: 256)
        for (index, byte) in pattern.dropLast().enumerated() { self.shifts[Int(byte)] = pattern.count - 1 - index }
    }

    func occurs(in data: Data) -> Bool {
        data.withUnsafeBytes { self.occurs(in: $0) }
    }

    private func occurs(in bytes: UnsafeRawBufferPointer) -> Bool {
        let last = self.pattern.count - 1
        var start = 0
        while start + last < bytes.count {
            var index = last
            while index >= 0, bytes[start + index] == self.pattern[index] { index -= 1 }
            if index < 0 { return true }
            start += self.shifts[Int(bytes[start + last])]
        }
        return false
    }
}
