// SPDX-License-Identifier: Apache-2.0

/// Values for the streams of a connection, sorted by the identifiers of the streams.
///
/// A connection seldom has more than a few hundred streams, so that a binary search is fast. The type is public, so that the
/// compiler can specialize it in other modules.
@_spi(CrossModuleInlining) public struct StreamTable<Value> {
    @usableFromInline var numbers: [UInt32] = []
    @usableFromInline var elements: [Value] = []

    @inlinable public init() {}

    @inlinable public var keys: [UInt32] { self.numbers }

    @inlinable public var values: [Value] { self.elements }

    @inlinable public subscript(number: UInt32) -> Value? {
        get {
            let place = self.place(of: number)
            return place < self.numbers.count && self.numbers[place] == number ? self.elements[place] : nil
        }
        set {
            let place = self.place(of: number)
            let exists = place < self.numbers.count && self.numbers[place] == number
            switch newValue {
            case let value? where exists: self.elements[place] = value
            case let value? where place == self.numbers.count:
                self.numbers.append(number)
                self.elements.append(value)
            case let value?:
                self.numbers.insert(number, at: place)
                self.elements.insert(value, at: place)
            case nil where exists:
                self.numbers.remove(at: place)
                self.elements.remove(at: place)
            case nil: break
            }
        }
    }

    @inlinable public mutating func removeValue(for number: UInt32) -> Value? {
        let place = self.place(of: number)
        guard place < self.numbers.count, self.numbers[place] == number else { return nil }
        self.numbers.remove(at: place)
        return self.elements.remove(at: place)
    }

    @inlinable public mutating func removeAll() {
        self.numbers.removeAll()
        self.elements.removeAll()
    }

    /// Returns the number of streams with a lower identifier.
    @inlinable func place(of number: UInt32) -> Int {
        var (low, high) = (0, self.numbers.count)
        while low < high {
            let middle = (low &+ high) >> 1
            if self.numbers[middle] < number { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}

extension StreamTable: Sendable where Value: Sendable {}

extension StreamTable {
    var ids: [HTTP2StreamID] { self.keys.map { HTTP2StreamID(rawValue: $0) } }

    subscript(id: HTTP2StreamID) -> Value? {
        get { self[id.rawValue] }
        set { self[id.rawValue] = newValue }
    }
}
