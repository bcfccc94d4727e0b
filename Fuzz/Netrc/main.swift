// SPDX-License-Identifier: Apache-2.0
import TernAuthentication

/// Reads bytes as a `.netrc` file, and traps if its place in a longer file or its line breaks change what it says.
///
/// The bytes need not be UTF-8.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNetrc(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    do throws(NetrcError) {
        let netrc = try Netrc(parsing: text)
        check(netrc, text)
    } catch {
        precondition(!error.description.isEmpty, "no message")
    }
    return 0
}

/// Checks the answers of a file, and of longer files that begin or end with it.
func check(_ netrc: Netrc, _ text: String) {
    precondition(netrc.entry(forHost: "h", user: "u")?.user ?? "u" == "u", "another name than was asked for")
    let other = "zz.example"
    let answers = [answer(netrc, "h"), answer(netrc, ""), answer(netrc, other)]

    let longer = read("\(text)\n\nmachine \(other) login u password p")
    precondition(answer(longer, "h") == answers[0] && answer(longer, "") == answers[1], "the end changes the start")
    precondition(answer(longer, other) == answers[2] ?? "u\np", "the last entry is lost")
    guard text.unicodeScalars.first != "\u{FEFF}" else { return }
    let later = read("\r\n # machine h login u password p\n\(text)")
    precondition(answer(later, "h") == answers[0], "a comment changes the file")
    guard !text.utf8.contains(UInt8(ascii: "\r")) else { return }
    let lines = read(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
    precondition(answer(lines, "h") == answers[0], "CRLF changes the file")
}

/// Reads a file that must be valid.
func read(_ text: String) -> Netrc {
    guard let netrc = try? Netrc(parsing: text) else { preconditionFailure("a valid file became invalid") }
    return netrc
}

/// Returns the user name and the password for a host; `nil` if there are none.
func answer(_ netrc: Netrc, _ host: String) -> String? {
    netrc.entry(forHost: host).map { "\($0.user)\n\($0.password)" }
}
