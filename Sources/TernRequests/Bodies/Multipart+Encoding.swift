// SPDX-License-Identifier: Apache-2.0
public import TernErrors

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Multipart {
    /// The value of `Content-Type` that belongs to the encoded body.
    package var contentType: String { "multipart/form-data; boundary=\(self.boundary)" }

    /// Writes all parts, in order.
    ///
    /// - Returns: the body.
    /// - Throws: `RequestFailure.boundaryOccursInPart` if the boundary is found in a part, where it would end
    ///   the part early; `RequestFailure.malformedFieldValue` if a media type holds a control
    ///   character, or a name NUL; `RequestFailure.bodyNotEncodable` if a part is a file, because that is read when the
    ///   request is sent; nothing else.
    /// - Complexity: O(*n*) in the length of the body.
    public func encode() throws(RequestFailure) -> Data {
        var body = Data()
        for segment in try self.segments() {
            guard case .data(let data) = segment else { throw .bodyNotEncodable("a part is a file") }
            if body.isEmpty { body = data } else { body.append(data) }
        }
        return body
    }

    /// A stretch of the body: bytes, or the content of a file.
    package enum Segment: Sendable {
        case data(Data)
        case file(URL)
    }

    /// The body in stretches: as few as there can be.
    ///
    /// - Throws: as ``encode()``, but for files. In these the boundary is not looked for: 128 random bits occur nowhere.
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

    /// A name as forms send it: each CR without LF, and each LF without CR, becomes CR and LF (WHATWG HTML §4.10.21.8).
    ///
    /// The standard and the browsers do this to names and to values that are text, and leave the names of files alone. Here
    /// values are bytes, which are sent as they are.
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

    /// A name as the value of a parameter: UTF-8, with only what would end it or the line percent-encoded, which is what
    /// browsers do and servers expect (WHATWG HTML §4.10.21.8).
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

/// Looks for one short text in many bytes, by Horspool's method: a mismatch skips up to the length of the text.
struct TextSearch {
    private let pattern: [UInt8]
    /// For each byte, how far the text may move when that byte stands under its end.
    private var shifts: [Int]

    /// Prepares to look for `text`, which is not empty.
    init(for text: String) {
        let pattern = Array(text.utf8)
        precondition(!pattern.isEmpty, "an empty text occurs everywhere")
        self.pattern = pattern
        self.shifts = Array(repeating: pattern.count, count: 256)
        for (index, byte) in pattern.dropLast().enumerated() { self.shifts[Int(byte)] = pattern.count - 1 - index }
    }

    /// Whether the text occurs in `data`.
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
