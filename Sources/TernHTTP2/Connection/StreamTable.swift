// SPDX-License-Identifier: Apache-2.0

/// Values for the streams of a connection, sorted by the identifiers of the streams.
///
/// A client opens streams with increasing identifiers, so a new stream comes last. A connection seldom has more than a
/// few hundred streams. For so few, a binary search takes a fraction of the time of a dictionary's hash function.
///
/// The compiler does not specialize `package` code in other modules, so the type is public, under an SPI that only this
/// package imports.
@_spi(CrossModuleInlining) public struct StreamTable<Value> {
    @usableFromInline var numbers: [UInt32] = []
    @usableFromInline var elements: [Value] = []

    /// Creates a table without streams.
    @inlinable public init() {}

    /// The identifiers of the streams, in ascending order.
    @inlinable public var keys: [UInt32] { self.numbers }

    /// The values, in the order of the identifiers.
    @inlinable public var values: [Value] { self.elements }

    /// The value of the stream with an identifier; `nil` if the table does not have the stream.
    ///
    /// Assigning `nil` removes the stream.
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

    /// Removes a stream, and returns its value; `nil` if the table does not have the stream.
    @inlinable public mutating func removeValue(for number: UInt32) -> Value? {
        let place = self.place(of: number)
        guard place < self.numbers.count, self.numbers[place] == number else { return nil }
        self.numbers.remove(at: place)
        return self.elements.remove(at: place)
    }

    /// Removes all streams.
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
