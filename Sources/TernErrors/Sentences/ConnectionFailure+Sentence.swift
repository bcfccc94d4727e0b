// SPDX-License-Identifier: Apache-2.0

extension ConnectionFailure {
    func sentence(_ server: String) -> String {
        switch self {
        case .resolution(isTemporary: true):
            "The address of \(server) could not be looked up; check the network and try again."
        case .resolution(isTemporary: false): "No address was found for \(server); check the spelling of its name."
        case .refused: "The connection to \(server) was refused because no service is running there; try again later."
        case .reset, .interrupted, .closed: "The connection to \(server) failed before it was established; try again."
        case .unreachable: "The app could not connect to \(server); try again later."
        case .noNetwork: "This device has no network route to \(server); check the network connection."
        case .socketNotFound: "The local service does not seem to be running: its socket does not exist."
        case .tooManyOpenFiles: "The app has too many files and connections open; close some and try again."
        case .system(let errno):
            "The app could not connect to \(server) because the system reported the error \(errno)."
        case .streamReset: Self.ofReset(server)
        case .shutDown: Self.ofShutDown(server)
        }
    }

    func lossSentence(_ server: String) -> String {
        switch self {
        case .closed: "The connection to \(server) was closed too early; try again."
        case .streamReset: Self.ofReset(server)
        case .shutDown: Self.ofShutDown(server)
        default: "The connection to \(server) was lost; try again."
        }
    }

    private static func ofReset(_ server: String) -> String {
        "The request failed because \(server) ended it early; try again."
    }

    private static func ofShutDown(_ server: String) -> String {
        "The request to \(server) ended because the app shut down its HTTP client."
    }
}

extension ProxyFailure {
    func sentence(_ server: String) -> String {
        switch self {
        case .malformedURL: "The address of the proxy is not valid; check the proxy settings."
        case .refused(let status) where status >= 500:
            "The proxy could not connect to \(server) and answered \(status); try again later."
        case .refused(let status):
            "The proxy refused a connection to \(server) with status \(status); check the proxy settings."
        case .authenticationRequired: "The proxy requires a valid user name and password; check the proxy settings."
        case .unsupported: "The proxy cannot be used for a request to \(server); check the proxy settings."
        case .socks(.commandNotSupported), .socks(.addressTypeNotSupported):
            "The proxy does not support this kind of connection to \(server); check the proxy settings."
        case .socks(.notAllowed): "The proxy does not allow a connection to \(server)."
        case .socks: "The proxy could not connect to \(server); try again later or check the proxy settings."
        case .violation: "The proxy's answer was not valid; check the proxy settings."
        }
    }
}
