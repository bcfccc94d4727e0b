// SPDX-License-Identifier: Apache-2.0
import TernFoundation
package import TernWebSocket
import TestSupport
package import Testing

/// Expects two messages to be equal, and reports the first difference in a few words.
///
/// See `expectEqual(_:_:_:)` for bytes.
package func expectEqual(
    _ actual: WebSocketMessage?,
    _ expected: WebSocketMessage,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(actual?.kind == expected.kind, comment(), sourceLocation: sourceLocation)
    expectEqual(actual?.content, expected.content, comment(), sourceLocation: sourceLocation)
}

/// Expects two lists of messages to be equal, message by message.
package func expectEqual(
    _ actual: [WebSocketMessage],
    _ expected: [WebSocketMessage],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(actual.count == expected.count, sourceLocation: sourceLocation)
    for (index, (actual, expected)) in zip(actual, expected).enumerated() {
        expectEqual(actual, expected, "message \(index)", sourceLocation: sourceLocation)
    }
}

extension WebSocketMessage {
    /// The bytes of the message; a text message as UTF-8.
    fileprivate var content: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .binary(let data): data
        }
    }
}
