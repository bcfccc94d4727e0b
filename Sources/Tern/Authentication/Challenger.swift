// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernAuthentication
import TernProxies
import TernRequests

/// Who asks for credentials: the server or a proxy (RFC 9110 §11.6, §11.7).
enum Challenger: Hashable, Sendable {
    case server(Origin)
    case proxy(Proxy)

    var isProxy: Bool {
        if case .proxy = self { true } else { false }
    }

    /// Whom a credential is for.
    var origin: Origin {
        switch self {
        case .server(let origin): origin
        case .proxy(let proxy):
            Origin(scheme: proxy.kind == .https ? .https : .http, host: proxy.host, port: proxy.port)
        }
    }

    var challengeField: HTTPField.Name { self.isProxy ? .proxyAuthenticate : .wwwAuthenticate }
    var authorizationField: HTTPField.Name { self.isProxy ? .proxyAuthorization : .authorization }
    var infoField: HTTPField.Name { self.isProxy ? .proxyAuthenticationInfo : .authenticationInfo }

    /// The challenger whom a response's status speaks for.
    init?(_ statusCode: Int, _ origin: Origin, _ proxy: Proxy?) {
        switch (statusCode, proxy) {
        case (401, _): self = .server(origin)
        case (407, let proxy?): self = .proxy(proxy)
        default: return nil
        }
    }
}
