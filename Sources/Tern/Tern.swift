// SPDX-License-Identifier: Apache-2.0

// What a user of the client touches, so that one import is enough.
@_exported public import HTTPTypes
@_exported public import TernAuthentication
@_exported public import TernCaching
@_exported public import TernCompression
@_exported public import TernCookies
@_exported public import TernErrors
@_exported public import TernHTTP1
@_exported public import TernProxies
@_exported public import TernRequests
@_exported public import TernRetry
@_exported public import TernStrictTransport
@_exported public import TernTransport
@_exported public import TernTrust
@_exported public import TernValidation
@_exported public import TernWebSocket
@_exported public import TernWebSocketCore
