// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// An application whose own module declares types with general names, beside Tern. scripts/check collisions compiles it.
let package = Package(
    name: "Collisions",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        .package(name: "tern", path: "../..", traits: [])
    ],
    targets: [
        .target(name: "General"),
        .executableTarget(name: "App", dependencies: ["General", .product(name: "Tern", package: "tern")]),
    ]
)
