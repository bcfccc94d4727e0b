// SPDX-License-Identifier: Apache-2.0
import TernTesting
import TestSupport

/// The way in which an ``UploadServer`` handles one request otherwise than an honest server.
///
/// Faults can be combined: `.cut(afterByteCount: 40).with(\.location, "http://other/upload")`.
struct UploadFault: Sendable {
    /// The server's action at a byte of the content.
    enum Stop: Sendable {
        /// The server closes the connection, and keeps the bytes before.
        case cut
        /// The server acknowledges the bytes before, if the protocol has a way, and then does nothing more.
        case stall
        /// The server acknowledges the bytes before, waits for the flag, and goes on.
        case hold(Flag)
    }

    /// The number of bytes of the content before the server's action, and the action.
    var stop: (byteCount: Int, action: Stop)?
    /// The response that the server sends, after it has read and dropped the content.
    var response: ScriptedResponse?
    /// Whether the server sends ``response`` before it has read the content, and then reads nothing.
    var answersEarly = false
    /// Whether the server closes the connection in place of its final response.
    var losesAnswer = false
    /// Whether the server does not know the protocols, and takes the content for the whole file.
    var isPlain = false
    /// Whether the server sends 104 (Upload Resumption Supported).
    var announces = true
    /// Whether the server forgets all uploads before it handles the request.
    var forgets = false
    /// Whether a byte of the content changes on its way.
    var damages = false
    /// The number of bytes of each upload that the server still has; `nil` for all.
    var keptByteCount: Int?
    /// The value of `Location` for the upload; `nil` for a path of this server.
    var location: String?
    /// The interop version in 104; `nil` for that of the request.
    var version: String?
    /// The value of `Upload-Limit`; `nil` for none.
    var limits: String?
    /// The test's code that the server runs when the head of the request has arrived.
    var before: (@Sendable () async throws -> Void)?

    /// The server does what the protocol says.
    static let none = UploadFault()
    /// The server does not know the protocols.
    static let plain = UploadFault(isPlain: true)
    /// The server knows the protocol, but does not send 104.
    static let quiet = UploadFault(announces: false)
    /// The server processes the request, and closes the connection in place of its answer.
    static let loseAnswer = UploadFault(losesAnswer: true)
    /// The server has forgotten all uploads.
    static let forget = UploadFault(forgets: true)

    /// The server closes the connection after this many bytes of the content, and keeps them.
    ///
    /// If that is all of the content, the server processes it, and closes the connection in place of its answer.
    static func cut(afterByteCount byteCount: Int) -> UploadFault { UploadFault(stop: (byteCount, .cut)) }

    /// The server acknowledges this many bytes of the content, and then does nothing more.
    static func stall(afterByteCount byteCount: Int) -> UploadFault { UploadFault(stop: (byteCount, .stall)) }

    /// The server acknowledges this many bytes of the content, and reads the others when the flag is raised.
    static func hold(afterByteCount byteCount: Int, until flag: Flag) -> UploadFault {
        UploadFault(stop: (byteCount, .hold(flag)))
    }

    /// The server reads and drops the content, and sends this response.
    static func respond(_ response: ScriptedResponse) -> UploadFault { UploadFault(response: response) }

    /// The server sends this response before it has read the content, and then reads nothing.
    static func respondEarly(_ response: ScriptedResponse) -> UploadFault {
        UploadFault(response: response, answersEarly: true)
    }

    /// Returns the fault with another value of a property.
    func with<Value>(_ property: WritableKeyPath<UploadFault, Value>, _ value: Value) -> UploadFault {
        var fault = self
        fault[keyPath: property] = value
        return fault
    }
}
