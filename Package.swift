// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "tern",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2), .macCatalyst(.v18)]
)

// MARK: Traits. An app that says `traits: []` does not even fetch what only these products need.

package.traits = [
    .trait(name: "CommandLine", description: "What tern-cli needs: Swift Argument Parser."),
    .trait(name: "Observability", description: "What TernObservability needs: Swift's logging, metrics and tracing."),
    .trait(name: "Publishers", description: "What TernPublishers needs where there is no Combine: OpenCombine."),
    .trait(name: "AllProducts", description: "What all of these need."),
    // One alone, because Swift Package Manager passes several in an order that differs from build to build, and then
    // compiles everything again.
    .default(enabledTraits: ["AllProducts"]),
]

// MARK: Products. What an app adds: the client and what stands beside it, and each protocol that is of use alone.

package.products = [
    .library(name: "Tern", targets: ["Tern"]),
    .library(name: "TernErrors", targets: ["TernErrors"]),
    .library(name: "TernRequests", targets: ["TernRequests"]),
    .library(name: "TernHTTP1", targets: ["TernHTTP1"]),
    .library(name: "TernCompression", targets: ["TernCompression"]),
    .library(name: "TernBrotli", targets: ["TernBrotli"]),
    .library(name: "TernZstandard", targets: ["TernZstandard"]),
    .library(name: "TernWebSocketCore", targets: ["TernWebSocketCore"]),
    .library(name: "TernAuthentication", targets: ["TernAuthentication"]),
    .library(name: "TernCookies", targets: ["TernCookies"]),
    .library(name: "TernCaching", targets: ["TernCaching"]),
    .library(name: "TernConnections", targets: ["TernConnections"]),
    .library(name: "TernObservability", targets: ["TernObservability"]),
    .library(name: "TernPublishers", targets: ["TernPublishers"]),
    .library(name: "TernTransferQueue", targets: ["TernTransferQueue"]),
    .library(name: "TernTesting", targets: ["TernTesting"]),
    .library(name: "TernFoundationNetworking", targets: ["TernFoundationNetworking"]),
    .library(name: "TernURLSession", targets: ["TernURLSession"]),
    .plugin(name: "TernEndpoints", targets: ["TernEndpoints"]),
    .executable(name: "tern-cli", targets: ["TernCommand"]),
]

// MARK: Dependencies. Documentation/Decisions says why each is here.

package.dependencies = [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),  // for tests only
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),  // for tests only
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-crypto", "4.5.2"..<"6.0.0"),  // as Swift Certificates
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),  // no target depends on it
]

let types: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let bytes: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let foundationBytes: Target.Dependency = .product(name: "NIOFoundationEssentialsCompat", package: "swift-nio")
let posix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let embedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let serverCodec: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let serverWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let serverHTTP2: [Target.Dependency] = [
    .product(name: "NIOHTTP2", package: "swift-nio-http2"),
    .product(name: "NIOHPACK", package: "swift-nio-http2"),
]
let serverUploads: [Target.Dependency] = [
    .product(name: "NIOResumableUpload", package: "swift-nio-extras"),
    .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
    .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
]
let tls: [Target.Dependency] = [
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
    .product(name: "NIOTLS", package: "swift-nio"),
]
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let certificates: [Target.Dependency] = [x509, .product(name: "SwiftASN1", package: "swift-asn1")]
let arguments: Target.Dependency = .product(
    name: "ArgumentParser",
    package: "swift-argument-parser",
    condition: .when(traits: ["AllProducts", "CommandLine"])
)
let observed: TargetDependencyCondition? = .when(traits: ["AllProducts", "Observability"])
let observability: [Target.Dependency] = [
    .product(name: "Logging", package: "swift-log", condition: observed),
    .product(name: "CoreMetrics", package: "swift-metrics", condition: observed),
    .product(name: "Tracing", package: "swift-distributed-tracing", condition: observed),
]
let observabilityDoubles: [Target.Dependency] = [
    .product(name: "InMemoryLogging", package: "swift-log", condition: observed),
    .product(name: "MetricsTestKit", package: "swift-metrics", condition: observed),
    .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: observed),
]
// Apple platforms have Combine, and link nothing in its place.
let publishers: Target.Dependency = .product(
    name: "OpenCombine",
    package: "OpenCombine",
    condition: .when(platforms: [.linux, .android, .windows, .wasi], traits: ["AllProducts", "Publishers"])
)

// MARK: Targets. A target depends only on targets of the layers above it.

let platform: [Target] = [.target(name: "TernFoundation"), .target(name: "TernCLibrary")]
let vocabulary: [Target] = [
    .target(name: "TernValues"),  // package symbols only
    .target(name: "TernErrors", dependencies: ["TernValues", types]),
]
let system: [Target] = [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
        name: "CBrotli",
        pkgConfig: "libbrotlidec",
        providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]
    ),
    .systemLibrary(name: "CZstandard", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(name: "CReadiness"),
    .systemLibrary(name: "CFileSystems"),
]
let cores: [Target] = [  // no I/O, no clock, no randomness
    .target(name: "TernRequests", dependencies: ["TernValues", "TernErrors", types]),
    .target(name: "TernFields", dependencies: [types]),
    .target(name: "TernHTTP1", dependencies: ["TernFields", types]),
    .target(name: "TernHTTP2", dependencies: ["TernFields", types]),  // package symbols only
    .target(name: "TernStreams"),
    .target(name: "TernCompression", dependencies: ["CZlib"]),
    .target(name: "TernWebSocketCore", dependencies: ["TernCompression", types, crypto]),
    .target(name: "TernAuthentication", dependencies: ["TernValues", "TernErrors", "TernRequests", crypto]),
    .target(name: "TernCookies", dependencies: ["TernValues"]),
    .target(name: "TernProxies", dependencies: ["TernValues", "TernErrors", "TernRequests"]),
    .target(name: "TernRetry", dependencies: ["TernErrors", "TernRequests", types]),
    .target(name: "TernStrictTransport", dependencies: ["TernRequests"]),
    .target(
        name: "TernTrust",
        dependencies: [
            "TernErrors", "TernAuthentication", crypto, .product(name: "CryptoExtras", package: "swift-crypto"),
        ] + certificates
    ),
    .target(name: "TernCaching", dependencies: ["TernRequests", types]),
    .target(name: "TernValidation", dependencies: ["TernValues", "TernErrors", "TernRequests", types]),
    .target(name: "TernDigests", dependencies: ["TernErrors", "TernRequests", types, crypto]),
    .target(
        name: "TernTransfers",
        dependencies: ["TernErrors", "TernRequests", "TernRetry", "TernValidation", "TernDigests", types, crypto]
    ),
    .target(name: "TernRequestFiles"),
]
let seam: [Target] = [
    .target(name: "TernFiles", dependencies: ["CFileSystems", "TernErrors"]),
    .target(
        name: "TernConnections",
        dependencies: [
            "TernValues", "TernErrors", "TernRequests", "TernAuthentication", "TernFiles", bytes, deque,
        ]
    ),
    .target(
        name: "TernTransport",
        dependencies: [
            "TernValues", "TernErrors", "TernRequests", "TernFields", "TernProxies", "TernConnections", types, bytes,
        ]
    ),
]
let drivers: [Target] = [
    .target(
        name: "TernNIO",
        dependencies: [
            "CReadiness", "TernErrors", "TernAuthentication", "TernTrust", "TernFiles", "TernConnections", bytes, posix,
            deque,
        ] + tls
    ),
    .target(
        name: "TernHTTP",
        dependencies: [
            "TernErrors", "TernRequests", "TernFields", "TernHTTP1", "TernHTTP2", "TernAuthentication", "TernProxies",
            "TernConnections", "TernTransport", types, bytes, deque,
        ]
    ),
    .target(
        name: "TernWebSocket",
        dependencies: [
            "TernErrors", "TernRetry", "TernConnections", "TernTransport", "TernCompression", "TernWebSocketCore",
            bytes, deque,
        ]
    ),
    .target(
        name: "TernCacheStores",
        dependencies: [
            "TernValues", "TernErrors", "TernRequests", "TernCaching", "TernFiles", "TernConnections", "TernTransport",
            bytes, crypto,
        ]
    ),
]
let umbrella: [Target] = [
    .target(
        name: "Tern",
        dependencies: [
            "TernValues", "TernErrors", "TernRequests", "TernFields", "TernStreams", "TernCompression",
            "TernAuthentication",
            "TernCookies", "TernProxies", "TernTrust", "TernRetry", "TernStrictTransport",
            "TernCaching", "TernValidation", "TernDigests", "TernTransfers", "TernFiles", "TernConnections",
            "TernTransport", "TernNIO", "TernHTTP", "TernWebSocketCore", "TernWebSocket", "TernCacheStores", types,
            bytes,
            deque, foundationBytes, crypto,
        ]
    )
]
let adaptors: [Target] = [
    .target(
        name: "TernTesting",
        dependencies: [
            "TernErrors", "TernRequests", "TernHTTP1", "TernHTTP2", "TernAuthentication", "TernConnections",
            "TernTransport", "TernWebSocketCore", "TernWebSocket", "Tern", types, bytes, deque,
        ]
    ),
    .target(name: "TernObservability", dependencies: ["Tern", "TernTransport"] + observability),
    .target(name: "TernPublishers", dependencies: ["Tern", deque, publishers]),
    .target(
        name: "TernTransferQueue",
        dependencies: [
            "TernValues", "TernErrors", "TernRequests", "TernRetry", "TernTransfers", "TernFiles", "TernConnections",
            "TernTransport", "Tern", types,
        ]
    ),
    // Each apart, because it links a library that not every system has.
    .target(name: "TernBrotli", dependencies: ["CBrotli", "TernCompression"]),
    .target(name: "TernZstandard", dependencies: ["CZstandard", "TernCompression"]),
    // Both apart, because on Linux they link Foundation's networking and libcurl.
    .target(name: "TernURLLoading"),  // FoundationNetworking, which no other product may link
    .target(name: "TernFoundationNetworking", dependencies: ["TernURLLoading", "TernErrors", "TernRequests", types]),
    .target(
        name: "TernURLSession",
        dependencies: [
            "TernValues", "TernErrors", "TernRequests", "TernAuthentication", "TernProxies", "TernTrust",
            "TernConnections", "TernTransport", "TernURLLoading", types, bytes, deque,
        ]
    ),
]
let tool: [Target] = [
    .executableTarget(
        name: "TernCommand",
        dependencies: [
            "Tern", "TernErrors", "TernRequests", "TernCompression", "TernWebSocketCore", "TernAuthentication",
            "TernCookies", "TernValidation", "TernFiles", "TernConnections", "TernTransport", "TernNIO",
            "TernCacheStores", "TernRequestFiles", "TernTransferQueue", "TernTesting", types,
            bytes, posix, serverCodec, serverWebSocket, x509, arguments,
        ]
    ),
    .target(name: "TernEndpointsWriter", dependencies: ["TernRequestFiles"]),
    .executableTarget(name: "TernEndpointsGenerator", dependencies: ["TernEndpointsWriter"]),  // run by TernEndpoints
]
let tests: [Target] = [
    // What the tests of the cores share: it depends only on the platform, so that they build without the drivers.
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"]),
    .target(
        name: "ClientTestSupport",
        dependencies: [
            "Tern", "TernErrors", "TernRequests", "TernHTTP1", "TernHTTP2", "TernAuthentication", "TernConnections",
            "TernTransport", "TernHTTP", "TernWebSocketCore", "TernWebSocket", "TernTesting", "TestSupport", types,
            bytes,
        ],
        path: "Tests/ClientTestSupport"
    ),
    .testTarget(name: "TernCLibraryTests", dependencies: ["TestSupport"]),
    .testTarget(name: "TernValuesTests", dependencies: ["TernValues"]),
    .testTarget(name: "TernErrorsTests", dependencies: ["TernErrors", types]),
    .testTarget(name: "TernRequestsTests", dependencies: ["TernRequests", "TernErrors", "TestSupport", types]),
    .testTarget(name: "TernFieldsTests", dependencies: ["TernFields", types]),
    .testTarget(
        name: "TernHTTP1Tests",
        dependencies: ["TernHTTP1", "TernFields", "TernRequests", "TestSupport", types]
    ),
    .testTarget(name: "TernHTTP2Tests", dependencies: ["TernHTTP2", "TernFields", "TestSupport", types]),
    .testTarget(name: "TernStreamsTests", dependencies: ["TernStreams", "TestSupport"]),
    .testTarget(name: "TernCompressionTests", dependencies: ["TernCompression", "TestSupport"]),
    .systemLibrary(
        name: "CBrotliEncoder",
        path: "Tests/CBrotliEncoder",
        pkgConfig: "libbrotlienc",
        providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]
    ),
    .testTarget(
        name: "TernCodecsTests",
        dependencies: ["TernBrotli", "TernZstandard", "CBrotliEncoder", "CZstandard", "TernCompression", "TestSupport"]
    ),
    .testTarget(
        name: "TernWebSocketCoreTests",
        dependencies: ["TernWebSocketCore", "TernCompression", "TestSupport", types]
    ),
    .testTarget(
        name: "TernAuthenticationTests",
        dependencies: ["TernAuthentication", "TernRequests", "TernErrors", "TestSupport"]
    ),
    .testTarget(name: "TernCookiesTests", dependencies: ["TernCookies"]),
    .testTarget(name: "TernProxiesTests", dependencies: ["TernProxies", "TernRequests", "TernErrors", "TestSupport"]),
    .testTarget(
        name: "TernTrustTests",
        dependencies: ["TernTrust", "TernAuthentication", "TernErrors", "TestSupport"] + certificates
    ),
    .testTarget(name: "TernCachingTests", dependencies: ["TernCaching", "TestSupport", types]),
    .testTarget(
        name: "TernRetryTests",
        dependencies: ["TernRetry", "TernErrors", "TernRequests", types]
    ),
    .testTarget(
        name: "TernStrictTransportTests",
        dependencies: ["TernStrictTransport", "TernRequests", "TestSupport"]
    ),
    .testTarget(
        name: "TernValidationTests",
        dependencies: ["TernValidation", "TernRequests", "TernErrors", types]
    ),
    .testTarget(name: "TernFilesTests", dependencies: ["CFileSystems", "TernFiles", "TernErrors", "TestSupport"]),
    .testTarget(
        name: "TernConnectionsTests",
        dependencies: ["TernConnections", "TernErrors", "TernTesting", "TestSupport", bytes]
    ),
    .testTarget(
        name: "TernNIOTests",
        dependencies: [
            "CReadiness", "TernNIO", "TernAuthentication", "TernConnections", "TernErrors", "TernTrust", "TestSupport",
            bytes, posix,
        ] + tls
    ),
    .testTarget(
        name: "TernDigestsTests",
        dependencies: ["TernDigests", "TernRequests", "TernErrors", "TestSupport", types]
    ),
    .testTarget(
        name: "TernTransfersTests",
        dependencies: ["TernTransfers", "TernErrors", "TernRequests", "TernRetry", "TestSupport", types, crypto]
    ),
    .testTarget(
        name: "TernTransportTests",
        dependencies: [
            "TernTransport", "TernConnections", "TernErrors", "TernRequests", "TernFields", "TernProxies",
            "TernTesting", "TestSupport", types, bytes,
        ]
    ),
    .testTarget(
        name: "TernCacheStoresTests",
        dependencies: [
            "TernCacheStores", "TernErrors", "TernCaching", "TernFiles", "TernTransport", "TestSupport", types, bytes,
        ]
    ),
    .testTarget(
        name: "TernHTTPTests",
        dependencies: [
            "TernHTTP", "TernConnections", "TernTransport", "TernErrors", "TernRequests", "TernFields", "TernHTTP1",
            "TernHTTP2", "TernAuthentication", "TernProxies", "TernTesting", "ClientTestSupport", "TestSupport", types,
            bytes,
        ]
    ),
    .testTarget(
        name: "TernWebSocketTests",
        dependencies: [
            "TernWebSocket", "TernWebSocketCore", "TernCompression", "TernConnections", "TernErrors",
            "TernRequests", "TernTesting", "ClientTestSupport", "TestSupport", types, bytes, deque,
        ]
    ),
    .testTarget(
        name: "TernTests",
        dependencies: [
            "Tern", "TernBrotli", "TernZstandard", "TernErrors", "TernRequests", "TernHTTP1", "TernWebSocketCore",
            "TernAuthentication", "TernCookies",
            "TernCaching", "TernProxies", "TernTransfers", "TernTransferQueue", "TernFiles", "TernConnections",
            "TernTransport", "TernTesting", "ClientTestSupport", "TestSupport", types, bytes, crypto,
        ]
    ),
    .testTarget(
        name: "TernTestingTests",
        dependencies: [
            "TernTesting", "Tern", "TernErrors", "TernRequests", "TernConnections", "TernTransport",
            "ClientTestSupport", "TestSupport", types, bytes,
        ]
    ),
    .testTarget(
        name: "TernObservabilityTests",
        dependencies: [
            "TernObservability", "Tern", "TernTransport", "TernTesting", "ClientTestSupport", "TestSupport", bytes,
        ]
            + observability + observabilityDoubles
    ),
    .testTarget(
        name: "TernPublishersTests",
        dependencies: ["TernPublishers", "TernTesting", "ClientTestSupport", "TestSupport", publishers]
    ),
    .testTarget(
        name: "TernTransferQueueTests",
        dependencies: [
            "TernTransferQueue", "Tern", "TernErrors", "TernRequests", "TernTransfers", "TernConnections",
            "TestSupport", types, crypto,
        ]
    ),
    .testTarget(
        name: "TernFoundationNetworkingTests",
        dependencies: ["TernFoundationNetworking", "TernURLLoading", "TernErrors", "TernRequests", types]
    ),
    .testTarget(
        name: "TernURLSessionTests",
        dependencies: [
            "TernURLSession", "TernURLLoading", "TernAuthentication", "TernConnections", "TernErrors", "TernProxies",
            "TernRequests", "TernTransport", "ClientTestSupport", "TestSupport", types, bytes,
        ]
    ),
    .testTarget(name: "TernRequestFilesTests", dependencies: ["TernRequestFiles"]),
    .testTarget(
        name: "TernEndpointsWriterTests",
        dependencies: ["TernEndpointsWriter"],
        exclude: ["Golden"]  // read by the tests, from where they are
    ),
    .testTarget(
        name: "TernEndpointsTests",
        dependencies: ["Tern", "TernTesting", "TernCommand", "TernRequestFiles", "TestSupport"],
        plugins: ["TernEndpoints"]
    ),
    .testTarget(
        name: "TernCommandTests",
        dependencies: [
            "TernCommand", "Tern", "TernWebSocketCore", "TernCookies", "TernConnections", "TernTransport",
            "TernTesting", "TernTransferQueue",
            "TernRequestFiles", "TestSupport", types, arguments,
        ]
    ),
    .testTarget(  // the texts of the errors of all modules
        name: "MessageTests",
        dependencies: [
            "Tern", "TernErrors", "TernHTTP1", "TernStreams", "TernCompression", "TernWebSocketCore",
            "TernAuthentication", "TernCookies", "TernProxies", "TernConnections", "TernTesting",
            "TernRequestFiles", "TernTransferQueue", "TernURLSession", types,
        ]
    ),
    .testTarget(
        name: "ConformanceTests",
        dependencies: [
            "TernHTTP1", "TernCompression", "TernWebSocketCore", "TernAuthentication", "TernCookies", "TernProxies",
            "TernRequests", "TernStrictTransport", "TernCaching", "TernValidation", "TernErrors", "TestSupport", types,
        ]
    ),
    .testTarget(
        name: "IntegrationTests",
        dependencies: [
            "Tern", "TernBrotli", "TernRequests", "TernHTTP2", "TernNIO", "TernAuthentication", "TernProxies",
            "TernConnections", "TernTesting", "TernWebSocketCore", "TernURLSession", "TernURLLoading",
            "ClientTestSupport",
            "TestSupport", types, bytes, posix, embedded, crypto, serverCodec,
        ] + tls + serverHTTP2 + serverUploads,
        exclude: ["Peers/Scripts"]  // run by the tests, from where they are
    ),
    .executableTarget(  // run by Benchmarks/scripts/soak
        name: "Soak",
        dependencies: ["Tern", "TernNIO", "TernHTTP", "TestSupport", types, bytes, posix],
        path: "Tests/Soak"
    ),
    .executableTarget(
        name: "CacheCrash",
        dependencies: ["TernCacheStores", "TernCaching", "TernTransport", types, bytes],
        path: "Tests/CacheCrash"
    ),
    .executableTarget(name: "Autobahn", dependencies: ["Tern"], path: "Tests/Autobahn"),  // run by scripts/autobahn
]
let plugins: [Target] = [
    .plugin(name: "TernEndpoints", capability: .buildTool(), dependencies: ["TernEndpointsGenerator"])
]
package.targets = platform + vocabulary + system + cores + seam + drivers + umbrella + adaptors + tool + tests + plugins

// MARK: Platforms. Every target may use Foundation and the C library; Documentation/Architecture.md says which targets do.

for target in package.targets where [.regular, .test, .executable].contains(target.type) {
    if platform.contains(where: { $0.name == target.name }) { continue }
    target.dependencies += platform.map { .target(name: $0.name) }
}

// MARK: Privacy manifests. Only a Mac sees them: elsewhere, a resource would link Foundation into the client.

// Only TernFiles asks the system about files, so that an app gets one manifest. scripts/check privacy checks both.
let targetsWithPrivacyManifest = ["TernFiles"]

for target in package.targets where targetsWithPrivacyManifest.contains(target.name) {
    #if canImport(Darwin)
    target.resources = [.copy("PrivacyInfo.xcprivacy")]
    #else
    target.exclude = ["PrivacyInfo.xcprivacy"]
    #endif
}

// MARK: Settings. The same strictness in every target.

// A type of an app inherits how the requirements are isolated that it meets. An `async` requirement that is
// `nonisolated(nonsending)` would take a class of the main actor off its actor, so the modules whose asynchronous protocols
// an app meets do without that feature: there, functions are `@concurrent` unless they say otherwise.
let metByApps = [
    "TernAuthentication", "TernCookies", "TernConnections", "TernTransport", "TernCacheStores", "Tern",
    "TernTransferQueue",
]

for target in package.targets where [.regular, .test, .executable].contains(target.type) {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .treatWarning("ExplicitSendable", as: .error),  // every public type says whether it is Sendable
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),  // `public import` is a visible decision
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if !metByApps.contains(target.name) {
        target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
    }
}
