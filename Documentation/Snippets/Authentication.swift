// SPDX-License-Identifier: Apache-2.0
// The code in the articles in Sources/Tern/Tern.docc/Articles.
// scripts/check snippets fails if the two copies differ.
import Foundation
import Tern

protocol SignInForm: Sendable {
    func ask(for space: ProtectionSpace, wasRefused: Bool) async -> (user: String, password: String)?
}
protocol SignInService: Sendable {
    func newToken() async throws -> (accessToken: String, lifetime: TimeInterval)
}
struct NotSignedIn: Error {}

// snippet.answering-delegate
final class SignIn: TaskDelegate {
    let form: any SignInForm

    init(_ form: any SignInForm) { self.form = form }

    func task(
        _ task: TaskInfo,
        didReceive challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition? {
        let space = challenge.protectionSpace
        guard space.scheme == .basic || space.scheme == .digest else {
            return nil  // not mine
        }
        guard challenge.previousFailureCount < 3 else {
            return .performDefaultHandling  // no more passwords for this scheme
        }
        let wasRefused = challenge.previousFailureCount > 0
        let answer = await self.form.ask(for: space, wasRefused: wasRefused)
        guard let (user, password) = answer else { return .cancel }
        return .useCredential(Credential(user: user, password: password))
    }
}
// snippet.end

func answering(_ client: Client, _ form: any SignInForm, url: URL, password: String) async throws {
    // snippet.answering-call
    let request = Request(.put, "https://photos.example.com/photos/1/favorite")
    let (data, response) = try await client.data(for: request, delegate: SignIn(form))
    guard response.status != .unauthorized else { throw NotSignedIn() }
    // snippet.end
    _ = data
    // snippet.answering-known
    let anna = Credential(user: "anna", password: password)
    let known = Request(url: url).credential(anna, schemes: [.digest])
    // snippet.end
    _ = known
}

func pinning() throws {
    // snippet.pinning-client
    let pins = try PinSet(
        host: "api.example.com",
        includesSubdomains: true,
        pins: [KeyPin(base64: "sha256/i0ObsIwwJ2hHmjGCKp0zKUTw92KIF9qzbsutUu3/7y4=")],
        backupPins: [
            KeyPin(base64: "sha256/Rs1aiwTO0I4kYmKwDqL6xkDE3yNL1x0yuNnqzVPJ3cU=")
        ]
    )
    var configuration = Client.Configuration()
    configuration.tls.trust = .system.pinning(pins)
    let client = Client(configuration: configuration)
    // snippet.end
    _ = client
}

func pinningOnTrial(_ client: Client, url: URL, log: (PinMismatch) -> Void) async throws {
    // snippet.pinning-report
    let (_, response) = try await client.data(from: url)
    for report in response.tls?.trust.pinReports ?? [] { log(report) }
    // snippet.end
}

func certificates(passphrase: String) {
    // snippet.certificates-development
    var configuration = Client.Configuration()
    configuration.tls.trust = .system(adding: [.pemFile(path: "dev.pem")])
    let client = Client(configuration: configuration)
    // snippet.end
    _ = client
    // snippet.certificates-identity
    configuration.tls.identity = .pkcs12File("client.p12", passphrase: passphrase)
    // snippet.end
}

func certificatesInATest(text: String) {
    // snippet.certificates-test
    var configuration = Client.Configuration()
    configuration.tls.trust = .only([.pem(text)])
    let client = Client(configuration: configuration)
    // snippet.end
    _ = client
}

// snippet.certificates-delegate
final class KnownHosts: TaskDelegate {
    let cameraKey: KeyPin
    let identity: ClientIdentity

    init(cameraKey: KeyPin, identity: ClientIdentity) {
        (self.cameraKey, self.identity) = (cameraKey, identity)
    }

    func task(
        _ task: TaskInfo,
        didReceive challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition? {
        switch challenge.kind {
        case .serverTrust(let trust) where trust.host == "camera.local":
            guard trust.leafPin == self.cameraKey else { return .cancel }
            return .useCredential(Credential(trust: trust))
        case .clientCertificate(let asking) where asking.host == "api.example.com":
            return .useCredential(Credential(identity: self.identity))
        default:
            return nil  // not mine: the default applies
        }
    }
}
// snippet.end

func proxies(_ url: URL) async throws {
    // snippet.proxy-client
    var configuration = Client.Configuration()
    configuration.proxy = .proxy(
        try Proxy("http://proxy.example:3128"),
        except: "localhost,127.0.0.0/8,10.0.0.0/8,.example.com"
    )
    let client = Client(configuration: configuration)
    // snippet.end
    // snippet.proxy-request
    let (data, _) = try await client.data(for: Request(url: url).proxy(.direct))
    // snippet.end
    _ = data
    // snippet.proxy-errors
    do throws(ClientError) {
        _ = try await client.data(from: url)
    } catch {
        switch error {
        case .proxyFailed(.authenticationRequired, _): print("the proxy needs a login")
        case .proxyFailed(.refused(let status), _): print("the proxy sent \(status)")
        case .proxyFailed(let reason, _): print("the proxy failed: \(reason)")
        default: throw error
        }
    }
    // snippet.end
}

func tokens(_ service: any SignInService, savedToken: BearerAuthentication.Token?) {
    // snippet.token-client
    let api = Origin(scheme: .https, host: "api.example.com")
    var configuration = Client.Configuration()
    configuration.bearer = [
        BearerAuthentication(for: [api], token: savedToken) { _ in
            let answer = try await service.newToken()
            let expiry = Date(timeIntervalSinceNow: answer.lifetime)
            return .init(answer.accessToken, expires: expiry)
        }
    ]
    // snippet.end
    _ = configuration
}

func tokenErrors(_ client: Client, url: URL, signInAgain: () -> Void) async throws {
    // snippet.token-errors
    do throws(ClientError) {
        let (_, response) = try await client.data(from: url)
        if response.status == .unauthorized { signInAgain() }  // refused again
    } catch {
        guard case .interceptorFailed(is NotSignedIn, _) = error else { throw error }
        signInAgain()
    }
    // snippet.end
}

func redirects(url: URL, key: String, apiKey: HTTPField.Name) {
    // snippet.redirect-policy
    var configuration = Client.Configuration()
    configuration.redirects = .sameOrigin
    configuration.redirects.maximumCount = 5
    let request = Request(url: url).redirects(.never)
    // snippet.end
    _ = (configuration, request)
    // snippet.redirect-sensitive
    let keyed = Request(url: url).header(apiKey, key).sensitive(apiKey)
    // snippet.end
    _ = keyed
}

// snippet.redirect-delegate
final class OwnHosts: TaskDelegate {
    func task(
        _ task: TaskInfo,
        willRedirectTo request: Request,
        for response: Response
    ) async -> RedirectDisposition? {
        let host = request.url.host() ?? ""
        return host == "example.com" || host.hasSuffix(".example.com") ? nil : .stop
    }
}
// snippet.end
