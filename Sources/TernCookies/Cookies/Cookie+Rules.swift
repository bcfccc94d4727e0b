// SPDX-License-Identifier: Apache-2.0

extension Cookie {
    /// Checks what a cookie that a server sent cannot be otherwise.
    func validate() throws(CookieViolation) {
        try Self.checkContent(self.nameBytes, self.valueBytes)
        guard !Self.hasSeparator(self.nameBytes), !self.nameBytes.contains(UInt8(ascii: "=")),
            !Self.hasSeparator(self.valueBytes)
        else { throw .separator }
        try self.checkPlace()
        try self.checkPrefixes(hasRootPath: self.path == "/")
    }

    /// What holds for host and path wherever they come from, also where they are those of the request: what is kept can
    /// be read again.
    func checkPlace() throws(CookieViolation) {
        guard Self.isDomain(self.domain) else { throw .malformedDomain }
        guard self.path.utf8.first == UInt8(ascii: "/") else { throw .malformedPath }
        guard self.path.utf8.count <= SetCookieParser.maximumAttributeByteCount else { throw .tooLong }
        guard !self.path.utf8.contains(where: \.isControl) else { throw .malformedPath }
    }

    /// The steps 2 to 4 of RFC 6265bis §5.7.
    static func checkContent(_ name: [UInt8], _ value: [UInt8]) throws(CookieViolation) {
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        guard !name.contains(where: \.isControl), !value.contains(where: \.isControl) else { throw .controlCharacter }
        guard name.count + value.count <= SetCookieParser.maximumPairByteCount else { throw .tooLong }
    }

    /// What the names promise (RFC 6265bis §5.4; §5.7, steps 20 to 22), in any case of their letters.
    ///
    /// - Parameter hasRootPath: whether the path is `/`, and the server said so.
    /// - Throws: ``CookieViolation/securePrefix``, `hostPrefix` or `disguisedPrefix`.
    func checkPrefixes(hasRootPath: Bool) throws(CookieViolation) {
        if self.nameBytes.hasPrefix(ignoringCase: "__secure-"), !self.isSecure { throw .securePrefix }
        if self.nameBytes.hasPrefix(ignoringCase: "__host-") {
            guard self.isSecure, self.isHostOnly, hasRootPath else { throw .hostPrefix }
        }
        guard self.nameBytes.isEmpty else { return }
        // It is sent as its value alone, which a server would read as a name.
        let isDisguised =
            self.valueBytes.hasPrefix(ignoringCase: "__secure-") || self.valueBytes.hasPrefix(ignoringCase: "__host-")
        if isDisguised { throw .disguisedPrefix }
    }

    private static func hasSeparator(_ bytes: [UInt8]) -> Bool {
        bytes.contains(UInt8(ascii: ";")) || bytes.first?.isWhitespace == true || bytes.last?.isWhitespace == true
    }

    /// A name or an address as hosts are written in requests.
    private static func isDomain(_ domain: String) -> Bool {
        guard let first = domain.utf8.first, first != UInt8(ascii: "."), domain.utf8.count <= 255 else { return false }
        return domain.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x5F, 0x3A: true
            default: false
            }
        }
    }
}

extension Cookie {
    /// The value of a `Cookie` field that brings cookies (RFC 6265bis §5.8.3, step 6).
    ///
    /// - Parameter cookies: the cookies, in their order.
    /// - Returns: the bytes; empty if there are none.
    public static func fieldValue(of cookies: some Collection<Cookie>) -> [UInt8] {
        var bytes: [UInt8] = []
        for cookie in cookies {
            if !bytes.isEmpty { bytes += [UInt8(ascii: ";"), UInt8(ascii: " ")] }
            // "If the cookies' name is not empty, output the cookie's name followed by the %x3D ("=") character."
            if !cookie.nameBytes.isEmpty { bytes += cookie.nameBytes + [UInt8(ascii: "=")] }
            bytes += cookie.valueBytes
        }
        return bytes
    }
}
