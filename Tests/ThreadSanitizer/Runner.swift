// SPDX-License-Identifier: Apache-2.0
import Testing

/// The program that scripts/test-threads links with the tests.
@main struct Runner {
    static func main() async {
        switch CommandLine.arguments.dropFirst().first {
        case "--race": Proof.race()
        case "--order": await Proof.order()
        default: await Testing.__swiftPMEntryPoint() as Never
        }
    }
}
