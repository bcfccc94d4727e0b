// SPDX-License-Identifier: Apache-2.0

/// A format of a stream of JSON records.
package enum RecordFormat: Hashable, Sendable {
    /// NDJSON, also known as JSON Lines, in which only LF ends a line, because CR is white space of JSON.
    case lines

    /// A JSON text sequence (RFC 7464): U+001E starts each record; the first LF after a complete value, U+001E or the end ends it.
    case textSequence
}
