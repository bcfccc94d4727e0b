// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernHTTP2

extension StreamTable {
    subscript(id: HTTP2StreamID) -> Value? {
        get { self[id.rawValue] }
        set { self[id.rawValue] = newValue }
    }

    mutating func removeValue(for id: HTTP2StreamID) -> Value? { self.removeValue(for: id.rawValue) }
}
