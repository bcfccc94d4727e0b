// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The position of an event or a record in a response body that is a stream of them.
public struct StreamPosition: Hashable, Sendable {
    /// The number of events or records before this one.
    public var index: Int
    /// The offset in the decompressed body at which the record begins, or at which the previous event ends.
    public var byteOffset: Int64
    /// The type of a server-sent event, such as `message`; `nil` for a record, and for an event that has not ended.
    public var event: String?

    package init(index: Int, byteOffset: Int64, event: String? = nil) {
        self.index = index
        self.byteOffset = byteOffset
        self.event = event
    }
}

extension StreamPosition: CustomStringConvertible, Described {
    package var wording: String {
        // A program may set any index, so avoid an overflow.
        let number = self.index < .max ? self.index + 1 : self.index
        let kind = self.event.map { "event \(number) (\(ForeignText.shown($0, length: 32)))" }
        return "\(kind ?? "value \(number)") at byte \(self.byteOffset)"
    }
}
