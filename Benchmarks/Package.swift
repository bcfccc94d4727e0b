// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// This package is nested, so that users of Tern never resolve packages that only the benchmarks need. `scripts/bench`
// runs it.
let package = Package(name: "tern-benchmarks", platforms: [.macOS(.v15)])

// MARK: Products. One executable per peer, so that each links and loads only its own code.

package.products = [
    .executable(name: "bench-tern", targets: ["BenchTern"]),
    .executable(name: "bench-ahc", targets: ["BenchAsyncHTTPClient"]),
    .executable(name: "bench-urlsession", targets: ["BenchURLSession"]),
    .executable(name: "bench-swift", targets: ["BenchSwift"]),
    .executable(name: "bench-nio-websocket", targets: ["BenchNIOWebSocket"]),
    .executable(name: "bench-scale", targets: ["BenchScale"]),
    .executable(name: "bench-publishers", targets: ["BenchPublishers"]),
]

// MARK: Dependencies.

package.dependencies = [
    .package(name: "tern", path: ".."),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.26.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
]

// MARK: Targets. The server and the peers in other languages are not targets: `scripts/bench` compiles them.

package.targets = [
    .target(name: "BenchSupport"),  // arguments, clocks, memory, the JSON line
    .executableTarget(
        name: "BenchTern",
        dependencies: [
            "BenchSupport",
            .product(name: "Tern", package: "tern"),
            .product(name: "TernBrotli", package: "tern"),
            .product(name: "TernZstandard", package: "tern"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
        ]
    ),
    .executableTarget(
        name: "BenchScale",
        dependencies: ["BenchSupport", .product(name: "Tern", package: "tern")]
    ),
    .executableTarget(
        name: "BenchAsyncHTTPClient",
        dependencies: [
            "BenchSupport",
            .product(name: "AsyncHTTPClient", package: "async-http-client"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
        ]
    ),
    .executableTarget(
        name: "BenchPublishers",
        dependencies: [.product(name: "TernPublishers", package: "tern")]
    ),
    .executableTarget(name: "BenchURLSession", dependencies: ["BenchSupport"]),
    .executableTarget(name: "BenchSwift", dependencies: ["BenchSupport"]),  // no client: strings and values alone
    .executableTarget(
        name: "BenchNIOWebSocket",
        dependencies: [
            "BenchSupport",
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOWebSocket", package: "swift-nio"),
        ]
    ),
]

// MARK: Settings. The same as in the library, but warnings are not errors, and the default isolation is that of a
// user's package.

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
