// SPDX-License-Identifier: Apache-2.0
internal import TernFoundation

/// Splits a text at LF, CR and CRLF; skips a byte order mark.
struct TextLines {
    private let data: Data
    private var index: Data.Index
    private(set) var number = 0

    init(_ data: Data) {
        self.data = data
        self.index = data.startIndex
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { self.index += 3 }
    }

    mutating func next() -> Data? {
        guard self.index < self.data.endIndex else { return nil }
        self.number += 1
        let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        let end = self.data[self.index...].firstIndex(where: isEnd) ?? self.data.endIndex
        let line = self.data[self.index..<end]
        self.index = end
        if self.data[end...].starts(with: "\r\n".utf8) {
            self.index += 2
        } else if end < self.data.endIndex {
            self.index += 1
        }
        return line
    }
}

struct NetscapeReader {
    private static let titles = ["# Netscape HTTP Cookie File", "# HTTP Cookie File"]
    private static let hidden = "#HttpOnly_"
    private static let field = "set-cookie:"
    private static let tab = UInt8(ascii: "\t")

    private let now: Date
    private var content: CookieFile.Content
    private var isKnown = false
    /// Whether a line is a `Set-Cookie` field, so that lines without tabs are other fields.
    private var hasFields = false
    private var others: (count: Int, first: Int?) = (0, nil)

    init(limits: CookieLimits, at now: Date) {
        self.now = now
        self.content = CookieFile.Content(jar: CookieJar(limits: limits))
    }

    mutating func read(_ text: Data, number: Int) {
        let line = text.drop { $0 == UInt8(ascii: " ") }
        if line.hasPrefix(ignoringCase: Self.field) {
            self.hasFields = true
            self.count(self.receive(line.dropFirst(Self.field.utf8.count)), number)
            return
        }
        let isHTTPOnly = line.starts(with: Self.hidden.utf8)
        let rest = isHTTPOnly ? line.dropFirst(Self.hidden.utf8.count) : line
        guard let first = rest.first else { return self.count(!isHTTPOnly, number, isCookie: false) }
        if first == UInt8(ascii: "#") {
            if Self.titles.contains(where: { rest.starts(with: $0.utf8) }) { self.isKnown = true }
        } else if rest.contains(Self.tab) {
            let cookie = self.cookie(rest, isHTTPOnly)
            if let cookie { self.content.jar.load(cookie, lastAccess: self.now, at: self.now) }
            self.count(cookie != nil, number)
        } else {
            self.others = (self.others.count + 1, self.others.first ?? number)
        }
    }

    mutating func finish() throws(CookieFile.ForeignText) -> CookieFile.Content {
        if !self.hasFields, let first = self.others.first {
            self.content.damagedLineCount += self.others.count
            self.content.firstDamagedLine = min(first, self.content.firstDamagedLine ?? first)
        }
        guard self.isKnown || self.hasFields || self.content.damagedLineCount == 0 else {
            throw CookieFile.ForeignText()
        }
        return self.content
    }

    private mutating func count(_ isValid: Bool, _ number: Int, isCookie: Bool = true) {
        if isValid {
            if isCookie { self.isKnown = true }
        } else {
            self.content.damagedLineCount += 1
            self.content.firstDamagedLine = self.content.firstDamagedLine ?? number
        }
    }

    private mutating func receive(_ value: Data) -> Bool {
        let bytes = ContiguousArray(value)
        do throws(CookieViolation) {
            let field = try SetCookie(parsing: bytes.span)
            guard let domain = field.domainBytes, !domain.isEmpty else { return false }
            // curl also reads these fields as if they came over a secure connection.
            let request = CookieRequest(host: String(decoding: domain, as: UTF8.self), isSecure: true)
            try self.content.jar.receive(field, from: request, at: self.now)
            return true
        } catch {
            return false
        }
    }

    private func cookie(_ line: Data, _ isHTTPOnly: Bool) -> Cookie? {
        var parts = line.split(separator: Self.tab, maxSplits: 7, omittingEmptySubsequences: false)
        // Some browsers leave the path out, together with its tab. As in curl, the flag in its place shows this.
        if parts.count > 2, Self.flag(parts[2]) != nil { parts.insert(Data("/".utf8), at: 2) }
        if parts.count == 6 { parts.append(Data()) }
        guard parts.count == 7, let isSecure = Self.flag(parts[3]), let expiry = self.expiry(parts[4]) else {
            return nil
        }
        let domain = parts[0].first == UInt8(ascii: ".") ? parts[0].dropFirst() : parts[0]
        let cookie = Cookie(
            nameBytes: Array(parts[5]),
            valueBytes: Array(parts[6]),
            domain: String(decoding: domain, as: UTF8.self).lowercased(),
            isHostOnly: Self.flag(parts[1]) != true,
            path: Self.path(parts[2]),
            expiry: expiry,
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSite: .unspecified,
            creation: self.now
        )
        do throws(CookieViolation) {
            try cookie.validate()
            return cookie
        } catch {
            return nil
        }
    }

    private static func flag(_ bytes: Data) -> Bool? {
        guard bytes.count <= 5 else { return nil }
        return switch String(decoding: bytes, as: UTF8.self).lowercased() {
        case "true": true
        case "false": false
        default: nil
        }
    }

    /// Returns the path without quotation marks; `/` if it does not begin with a slash.
    private static func path(_ bytes: Data) -> String {
        let quote = UInt8(ascii: "\"")
        var bytes = bytes
        if bytes.first == quote { bytes = bytes.dropFirst() }
        if bytes.last == quote { bytes = bytes.dropLast() }
        return bytes.first == UInt8(ascii: "/") ? String(decoding: bytes, as: UTF8.self) : "/"
    }

    /// Returns the expiry time, where an inner `nil` means a session cookie; some extensions write fractions of seconds.
    private func expiry(_ bytes: Data) -> Date?? {
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = { (part: Data) in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
        guard parts.allSatisfy(isNumber), let seconds = Int64(String(decoding: parts[0], as: UTF8.self)) else {
            return nil
        }
        guard seconds > 0 else { return .some(nil) }
        let latest = self.now + Double(SetCookieParser.maximumAge)
        return .some(min(Date(timeIntervalSince1970: Double(seconds)), latest))
    }
}
