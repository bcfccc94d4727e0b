// SPDX-License-Identifier: Apache-2.0

// This file exports the declarations of other modules that applications use, so that `import Tern` is enough. Most have
// a line of their own, because adding one is a decision; scripts/check surface limits the number of all public symbols
// that an application sees. Code with a custom connector or clock also imports TernConnections. Code that uses a protocol
// without the client imports the protocol's module, such as TernHTTP1.

@_exported public import HTTPTypes

// MARK: Requests

@_exported public import class TernRequests.AdjustablePriority
@_exported public import enum TernRequests.DigestChecking
@_exported public import struct TernRequests.FormEncoder
@_exported public import enum TernRequests.HashAlgorithm
@_exported public import struct TernRequests.HTTPDate
@_exported public import struct TernRequests.Multipart
@_exported public import struct TernRequests.Origin
@_exported public import struct TernRequests.RedirectPolicy
@_exported public import struct TernRequests.Request
@_exported public import struct TernRequests.RequestBody
@_exported public import protocol TernRequests.RequestOption
@_exported public import struct TernRequests.RequestOptions
@_exported public import struct TernRequests.RequestPriority
@_exported public import struct TernRequests.Timeouts

// MARK: Streams

@_exported public import struct TernStreams.ServerSentEvent

// MARK: Transfers

@_exported public import struct TernTransfers.Checksum
@_exported public import struct TernTransfers.ResumptionPolicy
@_exported public import struct TernTransfers.TusOptions
@_exported public import enum TernTransfers.UploadProtocol

// MARK: Calls, responses and transports

@_exported public import struct TernConnections.PoolConfiguration
@_exported public import struct TernTransport.HTTP2KeepAlive
@_exported public import struct TernTransport.HTTPCall
@_exported public import enum TernTransport.HTTPVersion
@_exported public import enum TernTransport.HTTPVersionPolicy
@_exported public import protocol TernTransport.Interceptor
@_exported public import struct TernTransport.NextStages
@_exported public import struct TernTransport.HTTPReply
@_exported public import struct TernTransport.Response
@_exported public import struct TernTransport.ResponseBody
@_exported public import protocol TernTransport.Transport

// MARK: Metrics

@_exported public import enum TernTransport.ExchangeMilestone
@_exported public import struct TernTransport.TaskMetrics
@_exported public import struct TernTransport.TransactionMetrics

// MARK: Errors

@_exported public import enum TernErrors.AuthenticationFailure
@_exported public import enum TernErrors.BodyFailure
@_exported public import enum TernErrors.ClientError
@_exported public import enum TernErrors.ConnectionFailure
@_exported public import struct TernErrors.DecodingFailure
@_exported public import enum TernErrors.DigestFailure
@_exported public import enum TernErrors.FileFailure
@_exported public import enum TernErrors.RequestFailure
@_exported public import enum TernErrors.ProxyFailure
@_exported public import enum TernErrors.RedirectFailure
@_exported public import struct TernErrors.StreamPosition
@_exported public import enum TernErrors.TLSFailure
@_exported public import enum TernErrors.Timeout
@_exported public import enum TernErrors.UploadFailure
@_exported public import struct TernErrors.ValidationFailure
@_exported public import struct TernErrors.WebSocketFailure

// MARK: Rules and retries

@_exported public import struct TernRetry.Backoff
@_exported public import enum TernRetry.RetryAfter
@_exported public import struct TernRetry.RetryBudget
@_exported public import struct TernRetry.RetryPolicy
@_exported public import struct TernValidation.ProblemDetails
@_exported public import struct TernValidation.ValidationRule

// MARK: Authentication and trust

@_exported public import struct TernAuthentication.AuthenticationScheme
@_exported public import enum TernAuthentication.CertificateSource
@_exported public import struct TernAuthentication.ClientCertificateRequest
@_exported public import struct TernAuthentication.ClientIdentity
@_exported public import struct TernAuthentication.Credential
@_exported public import protocol TernAuthentication.CredentialStore
@_exported public import struct TernAuthentication.KeyPin
@_exported public import class TernAuthentication.MemoryCredentialStore
@_exported public import struct TernAuthentication.PinMismatch
@_exported public import struct TernAuthentication.PinSet
@_exported public import struct TernAuthentication.ProtectionSpace
@_exported public import struct TernAuthentication.ServerTrust
@_exported public import struct TernAuthentication.TrustPolicy
@_exported public import struct TernConnections.TLSConfiguration
@_exported public import struct TernConnections.TLSFacts
// Adds members to the types above.
@_exported public import TernTrust

// MARK: Proxies and https

@_exported public import struct TernProxies.Proxy
@_exported public import struct TernProxies.ProxyExceptions
@_exported public import enum TernProxies.ProxySelection
@_exported public import struct TernProxies.ProxyURLError
@_exported public import class TernStrictTransport.MemoryStrictTransportStore
@_exported public import struct TernStrictTransport.StrictTransportHosts
@_exported public import struct TernStrictTransport.StrictTransportPolicy
@_exported public import protocol TernStrictTransport.StrictTransportStore

// MARK: Cookies, the cache and limits

@_exported public import struct TernCacheStores.CacheEntry
@_exported public import struct TernCacheStores.CacheKey
@_exported public import protocol TernCacheStores.CacheStore
@_exported public import enum TernCacheStores.CacheStoreError
@_exported public import protocol TernCacheStores.CacheWriter
@_exported public import class TernCacheStores.DiskCacheStore
@_exported public import class TernCacheStores.MemoryCacheStore
@_exported public import enum TernCaching.CachePolicy
@_exported public import struct TernCompression.ContentCodec
@_exported public import struct TernCompression.InflationLimits
@_exported public import struct TernCookies.Cookie
@_exported public import struct TernCookies.CookieJar
@_exported public import struct TernCookies.CookieLimits
@_exported public import protocol TernCookies.CookieStore
@_exported public import class TernCookies.MemoryCookieStore

// MARK: WebSockets

@_exported public import enum TernWebSocket.MessageCompression
@_exported public import struct TernWebSocket.ReconnectingWebSocket
@_exported public import struct TernWebSocket.ReconnectionPolicy
@_exported public import class TernWebSocket.WebSocket
@_exported public import struct TernWebSocket.WebSocketCompression
@_exported public import struct TernWebSocket.WebSocketDisconnection
@_exported public import struct TernWebSocket.WebSocketFragment
@_exported public import struct TernWebSocket.WebSocketKeepAlive
@_exported public import enum TernWebSocket.WebSocketMessage
@_exported public import struct TernWebSocket.WebSocketOptions
@_exported public import struct TernWebSocketCore.CloseCode
@_exported public import enum TernWebSocketCore.MessageKind
