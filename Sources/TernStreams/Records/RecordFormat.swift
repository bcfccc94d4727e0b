// SPDX-License-Identifier: Apache-2.0

/// A format of a stream of JSON records.
package enum RecordFormat: Hashable, Sendable {
    /// One record on each line: NDJSON, also known as JSON Lines.
    ///
    /// Only LF ends a line, because CR is white space of JSON. Blank lines are not records, and the last line needs no
    /// LF.
    case lines

    /// A JSON text sequence (RFC 7464).
    ///
    /// A record separator, U+001E, starts each record. The record ends with the first LF after a complete JSON value,
    /// or with the next record separator.
    case textSequence
}
