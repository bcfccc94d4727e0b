// SPDX-License-Identifier: Apache-2.0
import TernErrors

extension TLSFailure {
    /// The failure without texts, dates and names, so that a test can compare only the case.
    var withoutDetails: TLSFailure {
        switch self {
        case .certificateExpired: .certificateExpired()
        case .certificateNotYetValid: .certificateNotYetValid()
        case .wrongHost: .wrongHost()
        case .invalidCertificate: .invalidCertificate("")
        default: self
        }
    }
}
