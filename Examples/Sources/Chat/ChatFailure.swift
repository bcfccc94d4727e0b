// SPDX-License-Identifier: Apache-2.0
import Tern

/// What can go wrong in a chat for good.
enum ChatFailure: Error, Equatable, CustomStringConvertible {
    /// A line has so many bytes in UTF-8, and was not said.
    case tooLong(byteCount: Int)
    /// The server has said good-bye.
    case dismissed(CloseCode?)
    /// What was awaited has not been heard in time.
    case silence

    var description: String {
        switch self {
        case .tooLong(let count):
            "A line of \(count) bytes is too long, and was not said: at most \(ChatLine.maximumTextByteCount) will do."
        case .dismissed(let code):
            "The server has ended the chat (\(code.map { "\($0.rawValue)" } ?? "no close code"))."
        case .silence: "Nothing is heard any more."
        }
    }
}
