// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

extension TLSFailure: LocalizedError, Explained {
    package var sentence: String { self.sentence(ClientError.Context.unknownServer) }

    func sentence(_ server: String) -> String {
        if let reason = self.reasonAgainstIdentity {
            return "The identity of \(server) could not be verified because \(reason)."
        }
        return switch self {
        case .certificateExpired(let date):
            "A certificate of \(server) expired\(Self.day(" on", date)); check the date of this device."
        case .certificateNotYetValid(let date):
            "A certificate of \(server) is not valid \(date == nil ? "yet" : "before")\(Self.day("", date)); "
                + "check the date of this device."
        case .wrongHost(let names) where names.isEmpty: "The certificate of \(server) is for another host."
        case .wrongHost(let names): "The certificate of \(server) is only for \(Sentence.list(names))."
        case .unknownRoot(let issuer):
            "The certificate of \(server) depends on \(Sentence.quoted(issuer)), which this device does not know or trust."
        case .rejected: "The app did not allow the secure connection to \(server)."
        case .clientCertificateRequired: "A client certificate is needed to connect to \(server)."
        case .clientCertificateRefused: "The client certificate was refused by \(server)."
        case .plainHTTP: "The answer from \(server) is plain HTTP; use http:// or the port for HTTPS."
        case .notTLS: "The answer from \(server) is not TLS; check the address and the port."
        case .closed: "The connection to \(server) was closed before it was secure; try again."
        case .wrongPassphrase: "The passphrase of the client certificate is wrong or missing."
        case .configuration: "The app's settings for secure connections are not valid."
        default: "A secure connection to \(server) failed\(self.disagreement)."
        }
    }

    /// The end of a sentence; `nil` for a case with a whole sentence.
    private var reasonAgainstIdentity: String? {
        switch self {
        case .selfSigned: "its certificate is signed only by itself"
        case .wrongUsage: "its certificate is not meant for servers"
        case .constraintViolated: "an issuer is not allowed to sign, or an extension is unknown"
        case .pinMismatch: "its key is not one that the app expects"
        case .invalidCertificate: "its certificate is not valid"
        default: nil
        }
    }

    private var disagreement: String {
        switch self {
        case .versionNotSupported: " because there is no version of TLS that both sides support"
        case .unsupportedProtocol(let name):
            " because the server chose the protocol \(Sentence.quoted(name, length: 12)), which was not offered"
        case .noCommonProtocol: " because there is no version of HTTP that both sides support"
        case .noCommonAlgorithm: " because there is no encryption that both sides support"
        default: ""
        }
    }

    private static func day(_ word: String, _ date: Date?) -> String {
        date.map { "\(word) \(Sentence.day(of: $0))" } ?? ""
    }
}
