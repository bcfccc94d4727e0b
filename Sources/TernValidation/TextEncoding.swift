// SPDX-License-Identifier: Apache-2.0

/// A character encoding that the client can decode.
package enum TextEncoding: Hashable, Sendable {
    case utf8
    case utf16LittleEndian
    case utf16BigEndian
    /// windows-1252, also for the labels of ISO 8859-1 and ASCII (WHATWG Encoding §4.2).
    case windows1252

    /// Creates the encoding that a label in any case names (WHATWG Encoding §4.2); `nil` if the client cannot decode it.
    package init?(label: String) {
        let isSpace: (UInt8) -> Bool = { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
        let name = label.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        // Only the letters of ASCII have a case here: "ASCII case-insensitive".
        let lowercase = name.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        switch String(decoding: lowercase, as: UTF8.self) {
        case "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8": self = .utf8
        case "ansi_x3.4-1968", "ascii", "cp1252", "cp819", "csisolatin1", "ibm819", "iso-8859-1", "iso-ir-100",
            "iso8859-1", "iso88591", "iso_8859-1", "iso_8859-1:1987", "l1", "latin1", "us-ascii", "windows-1252",
            "x-cp1252":
            self = .windows1252
        case "unicodefffe", "utf-16be": self = .utf16BigEndian
        case "csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff", "utf-16", "utf-16le":
            self = .utf16LittleEndian
        default: return nil
        }
    }
}
