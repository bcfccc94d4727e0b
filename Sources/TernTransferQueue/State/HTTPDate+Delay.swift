// SPDX-License-Identifier: Apache-2.0
import TernRequests

extension HTTPDate {
    func advanced(by duration: Duration) -> HTTPDate {
        let (sum, overflows) = self.secondsSince1970.addingReportingOverflow(duration.wholeSecondCount)
        return HTTPDate(secondsSince1970: overflows ? .max : sum)
    }
}

extension Duration {
    var wholeSecondCount: Int64 {
        let (seconds, attoseconds) = self.components
        return max(0, attoseconds > 0 && seconds < .max ? seconds + 1 : seconds)
    }
}
