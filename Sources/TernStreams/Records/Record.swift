// SPDX-License-Identifier: Apache-2.0
package import TernFoundation

/// One JSON text of a stream of records.
package struct Record: Hashable, Sendable {
    /// The bytes of the JSON text, which have not been parsed.
    ///
    /// Their type is `Data`, because `JSONDecoder` reads it without a further copy. They start with the first byte that
    /// is not white space.
    package var bytes: Data

    /// The number of the record in its stream, from 0.
    package var number: Int

    /// The offset of the record's first byte in the input, from 0.
    package var offset: Int64

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the JSON text.
    ///   - number: The number of the record in its stream, from 0.
    ///   - offset: The offset of the record's first byte in the input, from 0.
    package init(bytes: Data, number: Int, offset: Int64) {
        self.bytes = bytes
        self.number = number
        self.offset = offset
    }
}
