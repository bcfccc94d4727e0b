// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import AppleFoundation

// The identities of Apple's Security framework, and what Apple's Foundation has of the framework's types.

/// A certificate and its private key.
public final class SecIdentity {}

// developer.apple.com/documentation/security/secpkcs12import(_:_:_:)
public func SecPKCS12Import(
    _ data: CFData,
    _ options: CFDictionary,
    _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { errSecAuthFailed }
public var kSecImportExportPassphrase: CFString { "passphrase" }
public var kSecImportItemIdentity: CFString { "identity" }
public var kSecImportItemCertChain: CFString { "chain" }
public var errSecAuthFailed: OSStatus { -25293 }
public var errSecPkcs12VerifyFailure: OSStatus { -25264 }

// …/secidentitygettypeid(), and developer.apple.com/documentation/corefoundation/cfgettypeid(_:)
public func SecIdentityGetTypeID() -> CFTypeID { 1 }
public func CFGetTypeID(_ object: CFTypeRef!) -> CFTypeID { object is SecIdentity ? 1 : 0 }

extension URLProtectionSpace {
    // developer.apple.com/documentation/foundation/urlprotectionspace/servertrust
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    // developer.apple.com/documentation/foundation/urlcredential/init(trust:), …/init(identity:certificates:persistence:)
    public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
    public convenience init(identity: SecIdentity, certificates: [Any]?, persistence: URLCredential.Persistence) {
        self.init(user: "", password: "", persistence: persistence)
    }
}
