// SPDX-License-Identifier: Apache-2.0

/// Values for the streams of a connection, sorted by the identifiers of the streams.
///
/// A client opens streams with increasing identifiers, so a new stream comes last. A connection seldom has more than a
/// few hundred streams. For so few, a binary search takes a fraction of the time of a dictionary's hash function.
package struct StreamTable<Value> {
    @usableFromInline var ids: [HTTP2StreamID] = []
    @usableFromInline var elements: [Value] = []

    /// Creates a table without streams.
    @inlinable package init() {}

    /// The identifiers of the streams, in ascending order.
    @inlinable package var keys: [HTTP2StreamID] { self.ids }

    /// The values, in the order of the identifiers.
    @inlinable package var values: [Value] { self.elements }

    /// The value of a stream; `nil` if the table does not have the stream.
    ///
    /// Assigning `nil` removes the stream.
    @inlinable package subscript(id: HTTP2StreamID) -> Value? {
        get {
            let place = self.place(of: id)
            return place < self.ids.count && self.ids[place] == id ? self.elements[place] : nil
        }
        set {
            let place = self.place(of: id)
            let exists = place < self.ids.count && self.ids[place] == id
            switch newValue {
            case let value? where exists: self.elements[place] = value
            case let value?:
                self.ids.insert(id, at: place)
                self.elements.insert(value, at: place)
            case nil where exists:
                self.ids.remove(at: place)
                self.elements.remove(at: place)
            case nil: break
            }
        }
    }

    /// Removes a stream, and returns its value; `nil` if the table does not have the stream.
    @inlinable package mutating func removeValue(for id: HTTP2StreamID) -> Value? {
        defer { self[id] = nil }
        return self[id]
    }

    /// Removes all streams.
    @inlinable package mutating func removeAll() {
        self.ids.removeAll()
        self.elements.removeAll()
    }

    /// Returns the number of streams with a lower identifier.
    @inlinable func place(of id: HTTP2StreamID) -> Int {
        var (low, high) = (0, self.ids.count)
        while low < high {
            let middle = (low &+ high) >> 1
            if self.ids[middle].rawValue < id.rawValue { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}

extension StreamTable: Sendable where Value: Sendable {}
