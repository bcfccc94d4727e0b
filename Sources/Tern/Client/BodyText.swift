// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFoundation
import TernTransport
import TernValidation

/// Decodes the bytes of a body as text, as browsers do (WHATWG Encoding §6).
enum BodyText {
    struct UnknownCharset: Error {
        /// The charset that the server named, made safe to show.
        let name: String

        init(_ label: String) {
            let scalars = label.unicodeScalars.prefix(40).map { scalar -> Unicode.Scalar in
                let isAllowed =
                    scalar.isASCII
                    && (scalar.properties.isAlphabetic || "0123456789-._:+".unicodeScalars.contains(scalar))
                return isAllowed ? scalar : "?"
            }
            self.name = String(String.UnicodeScalarView(scalars))
        }
    }

    /// Returns the text of a body: a byte order mark decides, then the `charset` of `Content-Type`, then UTF-8.
    static func decoded(_ data: Data, of response: Response) throws(UnknownCharset) -> String {
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: data.dropFirst(3), as: UTF8.self) }
        if data.starts(with: [0xFE, 0xFF]) { return self.utf16(data.dropFirst(2), isBigEndian: true) }
        if data.starts(with: [0xFF, 0xFE]) { return self.utf16(data.dropFirst(2), isBigEndian: false) }
        guard let label = MediaType(of: response.fields)?["charset"] else {
            return String(decoding: data, as: UTF8.self)
        }
        switch TextEncoding(label: label) {
        case .utf8: return String(decoding: data, as: UTF8.self)
        case .windows1252: return self.windows1252(data)
        case .utf16LittleEndian: return self.utf16(data, isBigEndian: false)
        case .utf16BigEndian: return self.utf16(data, isBigEndian: true)
        case nil: throw UnknownCharset(label)
        }
    }

    private static func utf16(_ bytes: Data, isBigEndian: Bool) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2 + 1)
        var first: UInt8?
        for byte in bytes {
            guard let other = first.take() else {
                first = byte
                continue
            }
            units.append(isBigEndian ? UInt16(other) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(other))
        }
        if first != nil { units.append(0xFFFD) }
        return String(decoding: units, as: UTF16.self)
    }

    private static func windows1252(_ bytes: Data) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let code = 0x80..<0xA0 ~= byte ? self.windowsCodes[Int(byte) - 0x80] : UInt16(byte)
            text.append(Unicode.Scalar(code) ?? "\u{FFFD}")
        }
        return String(text)
    }

    /// The code points of the bytes from 0x80 to 0x9F in windows-1252 (WHATWG Encoding, index windows-1252).
    private static let windowsCodes: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153,
        0x9D,
        0x017E, 0x0178,
    ]
}
