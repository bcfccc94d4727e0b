// SPDX-License-Identifier: Apache-2.0
package import TernFoundation

/// One JSON text of a stream of records.
package struct Record: Hashable, Sendable {
    /// The bytes of the JSON text, from the first byte that is not white space, as the `Data` that `JSONDecoder` takes.
    package var bytes: Data

    /// The number of the record in its stream, from 0.
    package var number: Int

    /// The offset of the record's first byte in the input, from 0.
    package var offset: Int64

    package init(bytes: Data, number: Int, offset: Int64) {
        self.bytes = bytes
        self.number = number
        self.offset = offset
    }
}
