// SPDX-License-Identifier: Apache-2.0

/// A format of a stream of JSON records.
package enum RecordFormat: Hashable, Sendable {
    /// NDJSON, also known as JSON Lines, in which CR alone ends no line, because it is white space of JSON.
    case lines

    /// A JSON text sequence (RFC 7464): U+001E starts each record; LF outside brackets and strings, U+001E or the end ends it.
    case textSequence
}
