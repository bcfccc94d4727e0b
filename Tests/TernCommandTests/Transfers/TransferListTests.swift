// SPDX-License-Identifier: Apache-2.0
import TernTransferQueue
import Testing

@testable import TernCommand

@Suite("The list of transfers")
struct TransferListTests {
    @Test func `columns are aligned, and only the last contains a space`() {
        var failed = TransferRow.sample(12, .failed, bytes: 6_550_000, of: 13_100_000)
        failed.reason = .refused
        failed.direction = .upload
        failed.priority = "high"
        failed.file = "/home/anna/the sea.mp4"
        let text = TransferList.text([.sample(3), failed], showsTitles: true)
        #expect(
            text == """
                ID  STATE           DONE    SIZE  PRIORITY  DIRECTION  URL                         FILE
                 3  waiting            -       -  normal    download   https://example.com/3.jpg   /home/anna/3.jpg
                12  failed:refused   50%  13.1MB  high      upload     https://example.com/12.jpg  /home/anna/the sea.mp4

                """
        )
        for line in text.split(separator: "\n").dropFirst() {
            #expect(line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true).count == 8)
        }
    }

    @Test func `a pipe gets no names of columns, and an empty list is empty`() {
        #expect(TransferList.text([.sample(1)], showsTitles: false).hasPrefix("1  waiting"))
        #expect(TransferList.text([], showsTitles: true).isEmpty)
    }

    @Test func `a name cannot look like another row, or control the terminal`() {
        var row = TransferRow.sample(1)
        row.file = "/tmp/a\n2\t\u{1B}[31m"
        let text = TransferList.text([row], showsTitles: false)
        #expect(text.filter { $0 == "\n" }.count == 1)
        #expect(!text.contains("\u{1B}") && !text.contains("\t"))
    }

    @Test func `a row is an object of JSON without what is not known`() {
        var row = TransferRow.sample(7, .failed, bytes: 5, of: 10)
        row.reason = .possiblyProcessed
        row.message = "the connection was lost"
        row.label = "Biscuit"
        row.failedAttempts = 2
        #expect(
            JSONLine.encode(row) == """
                {"bytes":5,"direction":"download","failedAttempts":2,"file":"/home/anna/7.jpg","id":7,"label":"Biscuit",\
                "message":"the connection was lost","priority":"normal","reason":"possibly-processed","state":"failed",\
                "totalBytes":10,"url":"https://example.com/7.jpg"}
                """
        )
        #expect(!JSONLine.encode(TransferRow.sample(1)).contains("reason"))
    }

    @Test func `a completed transfer is done, whatever its length`() {
        #expect(TransferRow.sample(1, .completed).fraction == 1)
        #expect(TransferRow.sample(1, .waiting, bytes: 3).fraction == nil)
        #expect(TransferRow.sample(1, .waiting, bytes: 0, of: 0).fraction == 1)
    }

    @Test func `the name is the label, or that of the file`() {
        var row = TransferRow.sample(1)
        #expect(row.name == "1.jpg")
        row.label = "Biscuit on the beach"
        #expect(row.name == "Biscuit on the beach")
    }

    @Test func `counts leave out states in which no transfer is`() {
        let rows = [TransferRow.sample(1, .completed), .sample(2, .running), .sample(3, .completed)]
        #expect(TransferCounts(rows).text == "1 running, 2 completed")
        #expect(TransferCounts([]).text == "no transfers")
    }
}
