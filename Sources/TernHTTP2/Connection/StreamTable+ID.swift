// SPDX-License-Identifier: Apache-2.0

extension StreamTable {
    /// The identifiers of the streams, in ascending order.
    var ids: [HTTP2StreamID] { self.keys.map { HTTP2StreamID(rawValue: $0) } }

    /// The value of a stream; `nil` if the table does not have the stream.
    subscript(id: HTTP2StreamID) -> Value? {
        get { self[id.rawValue] }
        set { self[id.rawValue] = newValue }
    }
}
