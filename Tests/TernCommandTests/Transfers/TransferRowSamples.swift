// SPDX-License-Identifier: Apache-2.0
@testable import TernCommand

extension TransferRow {
    /// Returns a row for tests.
    static func sample(_ id: Int64, _ state: State = .waiting, bytes: Int64 = 0, of total: Int64? = nil) -> TransferRow
    {
        var row = TransferRow(id: id)
        row.url = "https://example.com/\(id).jpg"
        row.file = "/home/anna/\(id).jpg"
        row.state = state
        row.bytes = bytes
        row.totalBytes = total
        return row
    }
}
