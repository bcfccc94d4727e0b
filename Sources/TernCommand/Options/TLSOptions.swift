// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernAuthentication
import TernFoundation
import X509

struct TLSOptions: ParsableArguments, Sendable {
    @Option(
        name: [.long, .customLong("ca")],
        help: ArgumentHelp("Trust only the certificates in this PEM file, and not the system's.", valueName: "file")
    )
    var cacert: String?

    @Option(
        name: [.customShort("E"), .customLong("cert")],
        help: ArgumentHelp(
            "Present this certificate to a server that asks for one: PEM, or PKCS#12 if it is named .p12 or .pfx.",
            valueName: "file[:password]"
        )
    )
    var typedCertificate: String?

    @Option(help: ArgumentHelp("The key of --cert, in PEM. By default it is in the same file.", valueName: "file"))
    var key: String?

    @Option(
        name: .customLong("pass"),
        help: ArgumentHelp("The passphrase of the key. If one is needed but not given, you are asked for it.")
    )
    var typedPassphrase: String?

    @Option(
        name: [.long, .customLong("pinnedpubkey")],
        help: ArgumentHelp(
            "Require the URL's host to present a key with this SHA-256; may be repeated for backup keys. --tls-info "
                + "shows the keys of a server.",
            valueName: "sha256/base64"
        )
    )
    var pin: [PinArgument] = []

    @Flag(name: [.customShort("k"), .long], help: "Trust any server; pins are still checked. Only for tests.")
    var insecure = false

    @Flag(help: "Show certificates, pins, version and cipher suite on standard error.")
    var tlsInfo = false

    @Flag(name: .customLong("tlsv1.3"), help: "Require TLS 1.3. The default minimum is 1.2.")
    var usesTLS13 = false

    @Option(help: ArgumentHelp("Set the maximum version of TLS: 1.2 or 1.3.", valueName: "version"))
    var tlsMax: TLSVersionArgument?

    var cert: String? { self.certificate?.file }

    /// The passphrase from `--pass`, or else the one after the colon in `--cert`.
    private var pass: String? { self.typedPassphrase ?? self.certificate?.passphrase }

    /// The file and the passphrase after a colon in `--cert`, unless a file has the whole text as its name.
    private var certificate: (file: String, passphrase: String?)? {
        // As in curl, an empty text names no certificate.
        guard let typedCertificate, !typedCertificate.isEmpty else { return nil }
        guard let colon = typedCertificate.firstIndex(of: ":"),
            System.isRegularFile(atPath: typedCertificate) == nil
        else { return (typedCertificate, nil) }
        let passphrase = typedCertificate[typedCertificate.index(after: colon)...]
        return (String(typedCertificate[..<colon]), String(passphrase))
    }

    func validate() throws {
        if self.usesTLS13, self.tlsMax?.version == .tls12 {
            throw ValidationError("--tlsv1.3 and --tls-max 1.2 cannot be combined.")
        }
        if self.cert == nil, [self.key, self.pass].contains(where: { $0?.isEmpty == false }) {
            throw ValidationError("--key and --pass need --cert.")
        }
        if self.insecure, self.cacert != nil { throw ValidationError("--insecure and --cacert cannot be combined.") }
    }

    func warn() {
        guard self.insecure else { return }
        System.tell("tern-cli: warning: with --insecure, others on the network can read and change the data\n")
    }

    /// The file with an encrypted key whose passphrase was not typed.
    var fileWithoutPassphrase: String? {
        guard let cert, self.pass == nil else { return nil }
        if Self.isPKCS12(cert) { return cert }
        let file = self.key ?? cert
        // The word "ENCRYPTED" marks an encrypted key (RFC 7468 §11, and RFC 1421 §4.6.1.1 for the older form). If the
        // file cannot be read, do not ask for a passphrase: the client reports the problem.
        guard let data = try? Data(contentsOf: URL(filePath: file)) else { return nil }
        return String(decoding: data, as: UTF8.self).contains("ENCRYPTED") ? file : nil
    }

    func configuration(for url: String, passphrase: String?) throws(CommandFailure) -> TLSConfiguration {
        var trust = TrustPolicy.system
        if let cacert { trust = .only([.pemFile(path: cacert)]) }
        if self.insecure { trust = .unverified }
        if let pins = try self.pinSet(for: url) { trust = trust.pinning(pins) }
        return TLSConfiguration(
            trust: trust,
            identity: self.identity(passphrase: self.pass ?? passphrase),
            minimumVersion: self.usesTLS13 ? .tls13 : .tls12,
            maximumVersion: self.tlsMax?.version
        )
    }

    private func identity(passphrase: String?) -> ClientIdentity? {
        guard let cert else { return nil }
        let passphrase = passphrase == "" ? nil : passphrase
        if Self.isPKCS12(cert) { return .pkcs12File(cert, passphrase: passphrase) }
        return .pemFiles(certificates: cert, privateKey: self.key ?? cert, passphrase: passphrase)
    }

    private func pinSet(for url: String) throws(CommandFailure) -> PinSet? {
        var pins: [KeyPin] = []
        for pin in self.pin.map(\.pin) where !pins.contains(pin) { pins.append(pin) }
        guard let first = pins.first else { return nil }
        do throws(PinError) {
            // A set of pins needs a backup, so that a lost key locks no users out. Users of `tern-cli` can change their
            // pins for each call, so if they type only one, the backup is a digest that no key has.
            let reserve =
                pins.count > 1 ? Array(pins.dropFirst()) : [try KeyPin(sha256: Array(repeating: 0, count: 32))]
            return try PinSet(host: Request(.get, url).url.host() ?? "", pins: [first], backupPins: reserve)
        } catch .noHost {
            throw CommandFailure(outcome: .usage, message: "--pin needs a URL with a host")
        } catch {
            throw CommandFailure(outcome: .usage, message: "--pin cannot be used: \(error)")
        }
    }

    private static func isPKCS12(_ path: String) -> Bool {
        [".p12", ".pfx"].contains { path.lowercased().hasSuffix($0) }
    }
}

/// A version of TLS as typed: `1.2`, `1.3`, or `default`, which means 1.3.
struct TLSVersionArgument: ExpressibleByArgument, Equatable, Sendable {
    let version: TLSConfiguration.Version

    init?(argument: String) {
        switch argument {
        case "1.2": self.version = .tls12
        case "1.3", "default": self.version = .tls13
        default: return nil
        }
    }
}

/// A pin as typed: `sha256/` and the digest in Base64, with one slash or with two, as in curl.
struct PinArgument: ExpressibleByArgument, Equatable, Sendable {
    let pin: KeyPin

    init?(argument: String) {
        let isCurls = argument.hasPrefix("sha256//")
        guard let pin = try? KeyPin(base64: isCurls ? String(argument.dropFirst(8)) : argument) else { return nil }
        self.pin = pin
    }
}

/// Formats facts about TLS as lines for people; each begins with a star, as in curl.
enum TLSText {
    static func lines(on trust: ServerTrust) -> String {
        var lines = ["\(trust.host), certificates: \(trust.chain.count)"]
        if let certificates = try? trust.certificates() {
            for (index, (certificate, bytes)) in zip(certificates, trust.chain).enumerated() {
                lines.append("\(index + 1). \(certificate.subject), by \(certificate.issuer)")
                lines.append("   valid until \(certificate.notValidAfter.formatted(.iso8601))")
                if let pin = KeyPin(certificate: bytes) { lines.append("   \(pin)") }
            }
        }
        let verdict = trust.verifiedChain.isEmpty ? "not verified" : "trusted"
        lines.append(trust.evaluation.map { "not trusted: \($0)" } ?? verdict)
        return Self.text(lines)
    }

    static func lines(on facts: TLSFacts) -> String {
        let parts = [facts.version?.description, facts.cipherSuite?.description, facts.applicationProtocol]
        return Self.text([parts.compactMap(\.self).joined(separator: ", ")])
    }

    /// Replaces control characters, because the server chooses names in the lines.
    private static func text(_ lines: [String]) -> String {
        lines.map { "* \(TerminalText.sanitized($0))\n" }.joined()
    }
}
