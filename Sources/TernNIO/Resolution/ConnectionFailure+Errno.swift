// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
import TernErrors

extension ConnectionFailure {
    init(errno: CInt) {
        switch errno {
        case ECONNREFUSED: self = .refused
        case ECONNRESET: self = .reset
        case ENETUNREACH, ENETDOWN: self = .noNetwork
        case EHOSTUNREACH, EHOSTDOWN, EADDRNOTAVAIL, ETIMEDOUT: self = .unreachable
        case ENOENT: self = .socketNotFound
        case EMFILE, ENFILE: self = .tooManyOpenFiles
        default: self = .system(errno: errno)
        }
    }

    /// Returns the most informative failure of a host's addresses; of several, the first.
    ///
    /// `noNetwork` has a low rank, because the IPv6 addresses of a host fail with it if a device has a route only for IPv4.
    static func mostInformative(of failures: [ConnectionFailure]) -> ConnectionFailure {
        let ranked = failures.enumerated().min { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        return ranked?.element ?? .interrupted
    }

    private var rank: Int {
        switch self {
        // This process lacks descriptors, which concerns all addresses.
        case .tooManyOpenFiles: 0
        case .noNetwork: 2
        case .interrupted: 3
        default: 1
        }
    }
}
