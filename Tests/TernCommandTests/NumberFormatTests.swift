// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("Numbers as people read them")
struct NumberFormatTests {
    static let byteCounts: [(Int64, String)] = [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"), (999_949, "999.9 kB"),
        (999_950, "1.0 MB"), (13_100_000, "13.1 MB"), (2_500_000_000, "2.5 GB"), (.max, "9.2 EB"),
    ]

    @Test(arguments: byteCounts)
    func `bytes come in the unit that suits them`(count: Int64, text: String) {
        #expect(NumberFormat.bytes(count) == text)
    }

    static let clocks: [(Double, String)] = [
        (0, "0:00"), (0.2, "0:01"), (59, "0:59"), (60, "1:00"), (65.0, "1:05"), (3599.5, "1:00:00"), (7265, "2:01:05"),
        (360_000, "-:--"), (-1, "-:--"), (.infinity, "-:--"), (.nan, "-:--"),
    ]

    @Test(arguments: clocks)
    func `time left is rounded up`(seconds: Double, text: String) {
        #expect(NumberFormat.clock(seconds: seconds) == text)
    }

    @Test func `a duration comes in the unit that suits it`() {
        #expect(NumberFormat.time(.microseconds(3240)) == "3.2 ms")
        #expect(NumberFormat.time(.milliseconds(1449)) == "1.4 s")
    }

    static let fixedNumbers: [(Double, Int, String)] = [
        (0, 0, "0"), (1.5, 0, "2"), (1.05, 2, "1.05"), (0.04, 1, "0.0"), (0.06, 1, "0.1"), (9.96, 1, "10.0"),
        (-1, 1, "-"), (1e300, 1, "-"),
    ]

    @Test(arguments: fixedNumbers)
    func `digits after the point are rounded and kept`(value: Double, digits: Int, text: String) {
        #expect(NumberFormat.fixed(value, digits: digits) == text)
    }
}
