// SPDX-License-Identifier: Apache-2.0
import Tern

/// An error that ends a chat.
enum ChatFailure: Error, Equatable, CustomStringConvertible {
    /// A line is too long, with this number of bytes in UTF-8, and was not sent.
    case tooLong(byteCount: Int)
    case dismissed(CloseCode?)
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
