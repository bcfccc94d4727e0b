// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A manifest as in the README: it depends only on the client. The program is the example of "Getting started".
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
