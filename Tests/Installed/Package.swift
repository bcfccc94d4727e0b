// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// As the manifest of somebody who uses the client and nothing else; scripts/check-install looks at what it takes.
let package = Package(
    name: "App",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        .package(name: "tern", path: "../..", traits: [])
    ],
    targets: [
        .executableTarget(name: "App", dependencies: [.product(name: "Tern", package: "tern")])
    ]
)
