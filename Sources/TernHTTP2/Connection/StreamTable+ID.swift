// SPDX-License-Identifier: Apache-2.0

extension StreamTable {
    var ids: [HTTP2StreamID] { self.keys.map { HTTP2StreamID(rawValue: $0) } }

    subscript(id: HTTP2StreamID) -> Value? {
        get { self[id.rawValue] }
        set { self[id.rawValue] = newValue }
    }
}
