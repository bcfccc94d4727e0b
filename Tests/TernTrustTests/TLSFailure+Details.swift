// SPDX-License-Identifier: Apache-2.0
import TernErrors

extension TLSFailure {
    /// The failure without its text, and without the dates and the names of a certificate, so that a test can compare the
    /// case.
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
