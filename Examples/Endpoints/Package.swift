// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// This is a separate package, like the package of a user: it depends on Tern and uses the plug-in.
let package = Package(name: "endpoints-example", platforms: [.macOS(.v15)])

package.dependencies = [
    .package(name: "tern", path: "../.."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),  // for the program's own server
]

package.targets = [
    .executableTarget(
        name: "Endpoints",
        dependencies: [
            .product(name: "Tern", package: "tern"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
        ],
        plugins: [.plugin(name: "TernEndpoints", package: "tern")]
    )
]
