// SPDX-License-Identifier: Apache-2.0
package import TernWebSocket
import TestSupport
package import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Expects two messages to be equal, and says in a few words where they are not; see `expectEqual(_:_:_:)` of bytes.
package func expectEqual(
    _ actual: WebSocketMessage?,
    _ expected: WebSocketMessage,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(actual?.kind == expected.kind, comment(), sourceLocation: sourceLocation)
    expectEqual(actual?.content, expected.content, comment(), sourceLocation: sourceLocation)
}

/// Expects messages to be equal, one by one.
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
    /// The bytes of the message, those of a text in UTF-8.
    fileprivate var content: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .binary(let data): data
        }
    }
}
