// SPDX-License-Identifier: Apache-2.0
import Tern

/// An error that ends a chat.
enum ChatFailure: Error, Equatable, CustomStringConvertible {
    /// The client did not send a line, because the line is too long: it has this number of bytes in UTF-8.
    case tooLong(byteCount: Int)
    /// The server has closed the chat.
    case dismissed(CloseCode?)
    /// The expected lines did not arrive in time.
    case silence

    var description: String {
        switch self {
        case .tooLong(let count):
            "A line of \(count) bytes was not sent: the limit is \(ChatLine.maximumTextByteCount) bytes."
        case .dismissed(let code):
            "The server has ended the chat (\(code.map { "\($0.rawValue)" } ?? "no close code"))."
        case .silence: "The server is silent."
        }
    }
}
