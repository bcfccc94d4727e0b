// SPDX-License-Identifier: Apache-2.0
package import TernRequests
import TernValues

package struct BearerToken: Hashable, Sendable {
    private let concealedValue: Concealed<String>
    package let expiry: HTTPDate?

    package init(_ value: String, expires expiry: HTTPDate? = nil) {
        self.concealedValue = Concealed(value)
        self.expiry = expiry
    }

    package var value: String { self.concealedValue.value }
}
