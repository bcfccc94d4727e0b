// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernHTTP2

extension StreamTable {
    /// The value of a stream; `nil` if the table does not have the stream.
    subscript(id: HTTP2StreamID) -> Value? {
        get { self[id.rawValue] }
        set { self[id.rawValue] = newValue }
    }

    /// Removes a stream, and returns its value; `nil` if the table does not have the stream.
    mutating func removeValue(for id: HTTP2StreamID) -> Value? { self.removeValue(for: id.rawValue) }
}
