// SPDX-License-Identifier: Apache-2.0
package import TernFoundation

/// The text of a file with a jar's cookies: a line that identifies the format, then one line for each cookie.
///
/// The line of a cookie begins with a checksum, so that a damaged line is left out, and is never read as a different cookie.
package enum CookieFile: Sendable {
    package struct Content: Sendable {
        package var jar: CookieJar
        /// The number of damaged lines, which were left out.
        package var damagedLineCount: Int
        /// The number of the first damaged line of a `cookies.txt`, from 1; `nil` if there is none.
        package var firstDamagedLine: Int?

        package init(jar: CookieJar, damagedLineCount: Int = 0) {
            self.jar = jar
            self.damagedLineCount = damagedLineCount
        }
    }

    /// The error for a text that is not a cookie file, and that the program must not overwrite.
    package struct ForeignText: Error, Hashable, Sendable {}

    private static let firstLine = "# Cookies, kept by Tern; version 1. Each line is a checksum and a cookie."

    private struct Record: Codable {
        var cookie: Cookie
        var accessed: Double

        private enum CodingKeys: String, CodingKey { case accessed }

        init(_ entry: CookieJar.Entry) {
            self.cookie = entry.cookie
            self.accessed = entry.lastAccess.timeIntervalSince1970
        }

        init(from decoder: any Decoder) throws {
            self.cookie = try Cookie(from: decoder)
            self.accessed = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .accessed)
        }

        func encode(to encoder: any Encoder) throws {
            try self.cookie.encode(to: encoder)
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(self.accessed, forKey: .accessed)
        }
    }

    /// Encodes a jar, by default without session cookies; the text is as sensitive as their values.
    package static func encode(_ jar: CookieJar, includesSession: Bool = false) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var data = Data("\(Self.firstLine)\n".utf8)
        for entry in jar.sortedEntries where includesSession || !entry.cookie.isSessionCookie {
            guard let line = try? encoder.encode(Record(entry)) else { continue }  // encoding a record cannot fail
            data.append(contentsOf: Self.checksum(line).utf8)
            data.append(UInt8(ascii: " "))
            data.append(line)
            data.append(UInt8(ascii: "\n"))
        }
        return data
    }

    /// Decodes the undamaged lines of a text, which may be empty; throws ``ForeignText`` if no line belongs to such a file.
    package static func decode(
        _ data: Data,
        limits: CookieLimits = CookieLimits(),
        at now: Date
    ) throws(ForeignText) -> Content {
        var content = Content(jar: CookieJar(limits: limits))
        var lines = data.split(separator: UInt8(ascii: "\n"))[...]
        guard let first = lines.first else { return content }
        var isKnown = first.elementsEqual(Self.firstLine.utf8)
        // A text that was cut within its first line contained no cookies.
        if lines.count == 1, Self.firstLine.utf8.starts(with: first) { return content }
        if isKnown { lines = lines.dropFirst() }
        for line in lines {
            guard let record = Self.record(line) else {
                content.damagedLineCount += 1
                continue
            }
            isKnown = true
            content.jar.load(record.cookie, lastAccess: Date(timeIntervalSince1970: record.accessed), at: now)
        }
        guard isKnown else { throw ForeignText() }
        return content
    }

    private static func record(_ line: Data) -> Record? {
        guard line.count > 17, line[line.startIndex + 16] == UInt8(ascii: " ") else { return nil }
        let text = line.dropFirst(17)
        guard line.prefix(16).elementsEqual(Self.checksum(text).utf8) else { return nil }
        return try? JSONDecoder().decode(Record.self, from: Data(text))
    }

    /// Returns the FNV-1a of 64 bits, which detects damage, but not a change by a program that can write the file.
    private static func checksum(_ bytes: Data) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        let text = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

extension CookieJar {
    /// Loads a cookie, unless it has expired or its domain is now a public suffix.
    mutating func load(_ cookie: Cookie, lastAccess: Date, at now: Date) {
        guard !cookie.isExpired(at: now) else { return }
        guard cookie.isHostOnly || !self.suffixes.isPublicSuffix(cookie.domain) else { return }
        self.put(cookie, lastAccess: lastAccess, at: now)
    }
}

extension CookieFile.ForeignText: CustomStringConvertible {
    package var description: String { "the text is not a cookie file" }
}

extension CookieFile.ForeignText: LocalizedError {
    package var errorDescription: String? { "The text is not a cookie file." }
}
