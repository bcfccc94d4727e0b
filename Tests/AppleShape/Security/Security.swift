// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import AppleFoundation

// A stand-in for Apple's Security framework: developer.apple.com/documentation/security/certificate-key-and-trust-services.
// It evaluates nothing, and trusts no chain.

// MacTypes.h
public typealias OSStatus = Int32

/// A certificate.
public final class SecCertificate {
    let bytes: Data

    init(_ bytes: Data) { self.bytes = bytes }
}

/// The rules that a certificate must meet.
public final class SecPolicy {}

/// A chain to evaluate.
public final class SecTrust {
    let certificates: [Any]

    init(_ certificates: [Any]) { self.certificates = certificates }
}

// …/seccertificatecreatewithdata(_:_:), …/seccertificatecopydata(_:)
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    SecCertificate(data)
}
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { certificate.bytes }

// …/secpolicycreatessl(_:_:)
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy() }

// …/sectrustcreatewithcertificates(_:_:_:)
@discardableResult public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef,
    _ policies: CFTypeRef?,
    _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    trust.pointee = SecTrust(certificates as? [Any] ?? [certificates])
    return errSecSuccess
}

// …/sectrustsetverifydate(_:_:), …/sectrustsetanchorcertificates(_:_:), …/sectrustsetanchorcertificatesonly(_:_:)
@discardableResult public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    errSecSuccess
}
@discardableResult public func SecTrustSetAnchorCertificates(
    _ trust: SecTrust,
    _ anchorCertificates: CFArray?
) -> OSStatus {
    errSecSuccess
}
@discardableResult public func SecTrustSetAnchorCertificatesOnly(
    _ trust: SecTrust,
    _ anchorCertificatesOnly: Bool
) -> OSStatus {
    errSecSuccess
}

// …/sectrustevaluatewitherror(_:_:), …/sectrustcopycertificatechain(_:)
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    error?.pointee = CFError(code: CFIndex(errSecNotTrusted))
    return false
}
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { trust.certificates }

// …/security-framework-result-codes, and SecBase.h
public var errSecSuccess: OSStatus { 0 }
public var errSecCertificateExpired: OSStatus { -67818 }
public var errSecCertificateNotValidYet: OSStatus { -67819 }
public var errSecCreateChainFailed: OSStatus { -25318 }
public var errSecHostNameMismatch: OSStatus { -67602 }
public var errSecInvalidExtendedKeyUsage: OSStatus { -67609 }
public var errSecInvalidSubjectName: OSStatus { -67655 }
public var errSecNoBasicConstraintsCA: OSStatus { -67605 }
public var errSecNotTrusted: OSStatus { -67843 }
public var errSecPathLengthConstraintExceeded: OSStatus { -67611 }
public var errSecUnknownCriticalExtensionFlag: OSStatus { -67603 }
