// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
public import Foundation
#endif

/// The text of a file that keeps a jar's cookies: a line that says what it is, then one line for each cookie.
///
/// Each line begins with a checksum. So a line that was cut or changed is left out, and never becomes another cookie than
/// the one that was kept.
package enum CookieFile: Sendable {
    /// What a file held.
    package struct Content: Sendable {
        /// The cookies.
        package var jar: CookieJar
        /// How many lines were damaged, and left out.
        package var damagedLineCount: Int
    }

    /// The text is not that of a file of cookies at all, so that it had better not be written over.
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

    /// Writes a jar.
    ///
    /// - Parameters:
    ///   - jar: the jar.
    ///   - includesSession: whether cookies without an expiry date are written, too; `false` by default, because the
    ///     session ends with the program.
    /// - Returns: the text; it holds the values, and is as secret as they are.
    package static func encode(_ jar: CookieJar, includesSession: Bool = false) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var data = Data("\(Self.firstLine)\n".utf8)
        for entry in jar.sortedEntries where includesSession || !entry.cookie.isSessionCookie {
            guard let line = try? encoder.encode(Record(entry)) else { continue }  // no part of it can fail
            data.append(contentsOf: Self.checksum(line).utf8)
            data.append(UInt8(ascii: " "))
            data.append(line)
            data.append(UInt8(ascii: "\n"))
        }
        return data
    }

    /// Reads what ``encode(_:includesSession:)`` wrote, as far as it is whole.
    ///
    /// - Parameters:
    ///   - data: the text; an empty one holds no cookies.
    ///   - limits: what the jar is to keep; the defaults by default.
    ///   - now: the present; what has ended is left out.
    /// - Returns: the cookies, and how many lines were damaged.
    /// - Throws: ``ForeignText`` if neither the first line nor any other is one of such a file.
    package static func decode(
        _ data: Data,
        limits: CookieLimits = CookieLimits(),
        at now: Date
    ) throws(ForeignText) -> Content {
        var content = Content(jar: CookieJar(limits: limits), damagedLineCount: 0)
        var lines = data.split(separator: UInt8(ascii: "\n"))[...]
        guard let first = lines.first else { return content }
        var isKnown = first.elementsEqual(Self.firstLine.utf8)
        // What was cut within its first line held nothing else.
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

    /// FNV-1a, of 64 bits: against accidents, not against those who can write the file.
    private static func checksum(_ bytes: Data) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        let text = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

extension CookieJar {
    /// Takes a cookie from a file, unless it has ended, or the list of public suffixes now has its domain.
    mutating func load(_ cookie: Cookie, lastAccess: Date, at now: Date) {
        guard !cookie.isExpired(at: now) else { return }
        guard cookie.isHostOnly || !self.suffixes.isPublicSuffix(cookie.domain) else { return }
        self.put(cookie, lastAccess: lastAccess, at: now)
    }
}

extension CookieFile.ForeignText: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    package var errorDescription: String? { "The text is not that of a file of cookies." }
}
