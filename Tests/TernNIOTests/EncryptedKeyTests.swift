// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernErrors
import Testing

@testable import TernNIO

@Suite("Keys that are encrypted")
struct EncryptedKeyTests {
    /// A key from `openssl pkcs8 -topk8 -scrypt`, whose passphrase is `woof`.
    private static let scrypt = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHkME8GCSqGSIb3DQEFDTBCMCEGCSsGAQQB2kcECzAUBAgQyQBGR7z4IgICQAAC
        AQgCAQEwHQYJYIZIAWUDBAEqBBA/q/qYec6fMtNREawz2LltBIGQRkoN7+R7bocE
        +3Vtgoqn5lWwyzzqTnmgZnw2srJ88HmT1rqV/mj7GE8G8FMeYH9rvg7dtMTuW+eL
        TDn52AqHsWfjAR6M9OCI1uGq9XsaYp9ryDviD9oJdWzX3toR12RnoYc7EmZb/S0O
        8+VICns74/cR8ImuWUAmqfm636Z2zPVjV9tFGHyXJnE4GURPvJGK
        -----END ENCRYPTED PRIVATE KEY-----
        """
    /// The same key from `openssl pkcs8 -topk8`, with the same passphrase.
    private static let derived = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhzcdj7dvbHCAICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEGLlffIpfJW3DWdJP8Z39TYEgZA6
        qH86bfkTBmT/2aJzJJysyN7npfMeEkl8fZUPixk+ZxW2Smw2Zzv65y7y0StvpRBH
        KfrV0f3Hkx9h1RTIqdic6YyWOFbMBc+SPwuOzzK0s6ZlI+z5FZZTh89QrSMssv1F
        9T4rW4QQbCPME3v4Fwi/iMSY7jjNHgrnTbvhyvjRXBNkCG9F7iaQJNQXRpHGimA=
        -----END ENCRYPTED PRIVATE KEY-----
        """
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBczCCARmgAwIBAgIUF2Amfla5DJkPBjgjSaq1hDpDCcEwCgYIKoZIzj0EAwIw
        DjEMMAoGA1UEAwwDZG9nMCAXDTI2MTEyODIzMDAyM1oYDzIxMjYxMTA0MjMwMDIz
        WjAOMQwwCgYDVQQDDANkb2cwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT/PR3w
        emnDjZI6AOeJpFn6iAxCBxOrgwUWhv9rtLuU57EhX4cjrfyG/lniptMrLlcyAeP+
        kyJC3fVKHBaSfHiUo1MwUTAdBgNVHQ4EFgQUXbW/V7t+2lTmkgXN5zZK4H0/Lvow
        HwYDVR0jBBgwFoAUXbW/V7t+2lTmkgXN5zZK4H0/LvowDwYDVR0TAQH/BAUwAwEB
        /zAKBggqhkjOPQQDAgNIADBFAiAng+NZ74WOqsC8EV67zeHA5RaPN3ifVFlrAsRM
        lB5Z3AIhAMITUz6o10sUU1sfetDC8VyaTkmAL0y++qmIpkxFgs5/
        -----END CERTIFICATE-----
        """

    private static func failure(_ key: String, _ passphrase: String) -> TLSFailure? {
        let identity = ClientIdentity.pem(certificates: Self.certificate, privateKey: key, passphrase: passphrase)
        do throws(TLSFailure) {
            _ = try identity.sources()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["woof", "wrong"])
    func `a key with scrypt is not called a wrong passphrase`(passphrase: String) {
        guard case .configuration(let reason) = Self.failure(Self.scrypt, passphrase) else {
            Issue.record("no failure of the settings")
            return
        }
        #expect(reason.contains("scrypt") && !reason.contains(passphrase))
    }

    @Test func `a key with PBKDF2 is read, and a wrong passphrase is reported`() {
        #expect(Self.failure(Self.derived, "woof") == nil)
        #expect(Self.failure(Self.derived, "wrong") == .wrongPassphrase)
    }

    @Test func `scrypt is found among other blocks, and with other line ends`() {
        #expect(EncryptedKey.usesScrypt(Self.certificate + "\n" + Self.scrypt))
        #expect(EncryptedKey.usesScrypt(Self.scrypt.split(separator: "\n").joined(separator: "\r\n")))
        #expect(!EncryptedKey.usesScrypt(Self.derived) && !EncryptedKey.usesScrypt(Self.certificate))
    }

    @Test func `a key that is cut off is never more than its beginning`() {
        var wasFound = false
        for count in 0...Self.scrypt.count {
            let isFound = EncryptedKey.usesScrypt(String(Self.scrypt.prefix(count)))
            #expect(isFound || !wasFound)
            wasFound = isFound
        }
        #expect(wasFound)
        let noise = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + String(repeating: "!A=", count: 10_000)
        #expect(!EncryptedKey.usesScrypt(noise))
    }
}
