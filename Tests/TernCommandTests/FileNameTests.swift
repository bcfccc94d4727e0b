// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("The name of a downloaded file")
struct FileNameTests {
    static let names: [(url: String, name: String)] = [
        ("https://example.com/dog.jpg", "dog.jpg"), ("https://example.com/a/b/dog.jpg?size=2#x", "dog.jpg"),
        ("https://example.com/my%20dog.jpg", "my dog.jpg"), ("https://example.com/%C3%BCber.jpg", "über.jpg"),
        ("https://example.com/50%.jpg", "50%.jpg"), ("https://example.com/%zz", "%zz"),
        ("https://example.com/%F0%9F%90%B6", "🐶"), ("https://example.com/dog%2", "dog%2"),
    ]

    @Test(arguments: names)
    func `it is the last part of the path, decoded`(url: String, name: String) {
        #expect(FileName.suggested(by: url) == name)
    }

    static let hostile: [(url: String, name: String)] = [
        ("https://example.com/..%2F..%2Fetc%2Fpasswd", ".._.._etc_passwd"), ("https://example.com/a%00b", "a_b"),
        ("https://example.com/a%1B%5B2Jb", "a_[2Jb"), ("https://example.com/a%0D%0Ab", "a__b"),
        ("https://example.com/dog%E2%80%AEgpj.exe", "dog_gpj.exe"), ("https://example.com/a\u{202E}b", "a_b"),
        ("https://example.com/a%E2%81%A6b%C2%9Bc%E2%80%A8d", "a_b_c_d"),
    ]

    @Test(arguments: hostile)
    func `it never leaves the directory, commands a terminal or turns text around`(url: String, name: String) {
        #expect(FileName.suggested(by: url) == name)
    }

    @Test func `it is no longer than a name on a disk, and keeps its extension`() {
        let dogs = String(repeating: "🐶", count: 100)
        #expect(FileName.suggested(by: "https://example.com/\(dogs).jpg") == "\(dogs.prefix(62)).jpg")
        #expect(FileName.suggested(by: "https://example.com/\(dogs)") == String(dogs.prefix(63)))
        let long = String(repeating: "n", count: 300)
        #expect(FileName.suggested(by: "https://example.com/a.\(long)") == "a.\(long.prefix(253))")
    }

    static let dispositions: [(value: String, name: String?)] = [
        ("attachment; filename=dog.jpg", "dog.jpg"), ("attachment;filename=\"a \\\"b\\\";c.txt\"", "a \"b\";c.txt"),
        ("attachment; filename=\"a.txt\"; filename*=UTF-8''%e2%82%ac.txt", "€.txt"),
        ("attachment; filename*=utf-8'de'a%20b", "a b"), ("attachment; FILENAME = x ; y=z", "x"),
        ("attachment; filename=\"../../etc/passwd\"", "passwd"), ("attachment; filename=\"C:\\\\a\\\\b.exe\"", "b.exe"),
        ("attachment; filename*=UTF-8''..%2F.bashrc", "bashrc"), ("attachment; filename=.netrc", "netrc"),
        ("attachment; filename=\"a\u{1B}[2J\u{202E}b\"", "a_[2J_b"),
        ("attachment", nil), ("attachment; filename=", nil), ("attachment; filename=\"..\"", nil),
        ("inline; name=x", nil),
        ("attachment; filename*=ISO-8859-1''%A3%20rates%e9.txt", "£ ratesé.txt"),
        ("attachment; filename=\"a.txt\"; filename*=iso-8859-1'en'%FC", "ü"),
        ("attachment; filename*=ISO-8859-1''..%2Fa%85%0A%9Bb", "a___b"),
        ("attachment; filename=b; filename*=ISO-8859-1''é", "b"), ("attachment; filename*=ISO-8859-1'a", nil),
        ("attachment; filename*=UTF-16''a; filename=c", "c"),
        ("attachment; filename*=latin1''a", nil), ("", nil), (";;filename", nil),
    ]

    @Test(arguments: dispositions)
    func `a response names its file, and no folder`(value: String, name: String?) {
        #expect(FileName.suggested(byDisposition: value) == name)
    }

    @Test(arguments: [
        "https://example.com", "https://example.com/", "https://example.com/a/", "https://example.com/?dog.jpg",
        "https://example.com/..", "https://example.com/%2E%2e", "https://example.com/.", "dog.jpg", "",
    ])
    func `there is none where the path names no file`(url: String) {
        #expect(FileName.suggested(by: url) == nil)
    }
}
