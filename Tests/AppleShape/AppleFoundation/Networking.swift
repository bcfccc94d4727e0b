// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// developer.apple.com/documentation/foundation/url-loading-system; what Linux has in FoundationNetworking.
@_exported public import class Foundation.NSObject
@_exported public import class Foundation.OutputStream
@_exported public import struct Foundation.URLError
@_exported public import class FoundationNetworking.CachedURLResponse
@_exported public import class FoundationNetworking.HTTPURLResponse
@_exported public import class FoundationNetworking.URLAuthenticationChallenge
@_exported public import class FoundationNetworking.URLCredential
@_exported public import class FoundationNetworking.URLProtectionSpace
@_exported public import class FoundationNetworking.URLResponse
@_exported public import class FoundationNetworking.URLSession
@_exported public import class FoundationNetworking.URLSessionConfiguration
@_exported public import protocol FoundationNetworking.URLSessionDataDelegate
@_exported public import class FoundationNetworking.URLSessionDataTask
@_exported public import class FoundationNetworking.URLSessionTask

// …/urlprotectionspace/authentication-method-constants
public var NSURLAuthenticationMethodServerTrust: String { "NSURLAuthenticationMethodServerTrust" }
public var NSURLAuthenticationMethodClientCertificate: String { "NSURLAuthenticationMethodClientCertificate" }
public var NSURLAuthenticationMethodNegotiate: String { "NSURLAuthenticationMethodNegotiate" }
public var NSURLAuthenticationMethodNTLM: String { "NSURLAuthenticationMethodNTLM" }

extension Stream {
    // …/stream/getboundstreams(withbuffersize:inputstream:outputstream:)
    public static func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?
    ) {}
}
