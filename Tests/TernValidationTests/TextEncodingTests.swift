// SPDX-License-Identifier: Apache-2.0
import TernValidation
import Testing

@Suite("Labels of encodings (WHATWG Encoding §4.2)")
struct TextEncodingTests {
    static let table: [(encoding: TextEncoding, labels: [String])] = [
        (
            .utf8,
            ["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"]
        ),
        (
            .windows1252,
            [
                "ansi_x3.4-1968", "ascii", "cp1252", "cp819", "csisolatin1", "ibm819", "iso-8859-1", "iso-ir-100",
                "iso8859-1", "iso88591", "iso_8859-1", "iso_8859-1:1987", "l1", "latin1", "us-ascii", "windows-1252",
                "x-cp1252",
            ]
        ),
        (.utf16BigEndian, ["unicodefffe", "utf-16be"]),
        (
            .utf16LittleEndian,
            ["csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff", "utf-16", "utf-16le"]
        ),
    ]

    @Test(arguments: table)
    func `a label names an encoding, in any case and between white space`(encoding: TextEncoding, labels: [String]) {
        for label in labels {
            #expect(TextEncoding(label: label) == encoding, "\(label)")
            #expect(TextEncoding(label: label.uppercased()) == encoding, "\(label)")
            #expect(TextEncoding(label: " \t\n\u{C}\r\(label) ") == encoding, "\(label)")
            #expect(TextEncoding(label: "\(label)x") == nil, "\(label)")
        }
    }

    @Test(arguments: [
        "", " ", "utf", "utf 8", "utf-7", "utf-32", "utf-16-le", "shift_jis", "windows-1251", "iso-8859-15", "gbk",
        "x-user-defined", "\u{A0}utf-8", "utf-8\u{B}", "ｕtf-8", "utf-8\0", "İso-8859-1",
    ])
    func `other labels name none`(label: String) {
        #expect(TextEncoding(label: label) == nil)
    }
}
