// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The examples are a separate package, so that users of Tern never build them. Each example is an executable that needs
// no network: it starts its own server on loopback.
let package = Package(name: "tern-examples", platforms: [.macOS(.v15)])

// MARK: Dependencies.

package.dependencies = [
    .package(name: "tern", path: ".."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
]

let tern: Target.Dependency = .product(name: "Tern", package: "tern")
let testing: Target.Dependency = .product(name: "TernTesting", package: "tern")  // for a preview without a network
let publishers: Target.Dependency = .product(name: "TernPublishers", package: "tern")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")

// MARK: Targets.

package.targets = [
    .target(  // not an example: the server of the others
        name: "DemoServer",
        dependencies: [
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
        ]
    ),
    .target(name: "DemoTerminal"),  // questions and progress bars
    .executableTarget(name: "ImageDownloader", dependencies: ["DemoServer", tern, publishers]),
    .executableTarget(name: "PhotoApp", dependencies: ["DemoServer", "DemoTerminal", tern, arguments]),
    .executableTarget(
        name: "Chat",
        dependencies: [
            "DemoTerminal", tern, arguments,
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOWebSocket", package: "swift-nio"),
        ]
    ),
    .executableTarget(name: "Mirror", dependencies: ["DemoServer", "DemoTerminal", tern, arguments]),
    .executableTarget(name: "Albums", dependencies: ["DemoServer", tern, testing]),
    .executableTarget(name: "SignedClient", dependencies: ["DemoServer", tern, arguments, crypto]),
    .executableTarget(name: "Assistant", dependencies: ["DemoServer", tern, arguments]),
    .testTarget(
        name: "ExamplesTests",
        dependencies: [
            "DemoServer", "DemoTerminal", "PhotoApp", "Chat", "Mirror", "SignedClient", "Albums", "Assistant", tern,
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
    // Xcode sets this default isolation for the module of a new app.
    if target.name == "Albums" { target.swiftSettings?.append(.defaultIsolation(MainActor.self)) }
}
