// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernAuthentication

@Suite("SHA512t256, BodyHasher")
struct SHA512t256Tests {
    /// Lengths near the ends of blocks and of their padding, with hashes from Python's hashlib.
    ///
    /// Byte *i* of the input is *i* mod 251.
    static let lengths: [(Int, String)] = [
        (0, "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
        (1, "10baad1713566ac2333467bddb0597dec9066120dd72ac2dcb8394221dcbe43d"),
        (3, "daca0762a6678e4e26cb8a893d71d72cf3239e29cc837629590b84625dec14af"),
        (55, "7dd58a7c3285d6436f4b8876a4e3ce63bae92a11a5453c46a6032c5e469bf40c"),
        (56, "c06d2d4f6d22414491b36e215de341782922ec36900cfca39f4a707a5379f51a"),
        (63, "53b53ec7c0d980b7980c16a40d3f7ff83c1038d0300b7313584de5a5eae4497a"),
        (64, "c9e483b9622515e83259e1e075746b70142cb1217863fb8c85fae33256f4188a"),
        (111, "bd209f60b0d04102a09175297fd255367e54b5a5605b928635c606306914363f"),
        (112, "2cafeb0882cc405167e9a255b8581a66dc683212474902dd453dbca20a94e61a"),
        (113, "3222333be019dc995e5dd1496d5859ddaa491e03e7df81a659d5e74957bf3b53"),
        (119, "6fdcc1a442cc8391d7dd5a0db6601efaee9a4954056c78a64038c36bf7acb368"),
        (120, "be74a90abbc2ea03ff56dedae4eda154ba6cf24d73a515903356283b653f5109"),
        (127, "c26bc7e9315e62ab0dc6aeb577724d07c09b0c6fdfc0a9f08d8548047c032248"),
        (128, "2ff11194b2aec1f943cb5f130ba647c151334068083194d7281a55d607ae255f"),
        (129, "c4a3bbf841ed2a289e5109fb392229c80db61c72fd92079b5a4f0441f095a111"),
        (239, "b81472d255d80182e196481e5866aa207761a152302a0237e242eb88c577a428"),
        (240, "6ca13c55886b74a5ca2ac9782c4b9a49fe3aeeefdfc0cefc34984872fb4c54fd"),
        (255, "282a7af172c05b48cb02870d79ec5bc32fc2c6fd32d237d9b84728b6c36d2ed1"),
        (256, "0ea4199eb79185d8198973ee464a7e0eb26345b54b361ac6af8b1dc10d41911c"),
        (257, "df2a5529f911b588c655586748d8c988eff070ba25478b47ff33f2662497d197"),
        (1000, "974bc1ca87fcb8f487f65a650d1eeeebdc0cc269381b9eeb708cc4ea6d4954f2"),
    ]

    /// The examples that NIST publishes for SHA-512/256.
    static let examples: [(String, String)] = [
        ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
        ),
    ]

    private static func hash(_ pieces: [ArraySlice<UInt8>], _ hash: DigestAlgorithm.Hash = .sha512t256) -> String {
        var hasher = BodyHasher(hash)
        for piece in pieces { piece.withUnsafeBytes { hasher.update($0) } }
        return hasher.finalize()
    }

    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

    @Test(arguments: lengths)
    func `FIPS 180-4 §6_7 any length is padded right`(_ count: Int, _ digest: String) {
        #expect(Self.hash([Self.bytes(count)[...]]) == digest)
    }

    @Test(arguments: examples)
    func `FIPS 180-4 §6_7 the examples`(_ text: String, _ digest: String) {
        #expect(DigestAlgorithm.Hash.sha512t256.hex(text) == digest)
    }

    @Test
    func `FIPS 180-4 §6_7 a million letters`() {
        var hasher = BodyHasher(.sha512t256)
        let letters = Array(repeating: UInt8(ascii: "a"), count: 1000)
        for _ in 0..<1000 { letters.withUnsafeBytes { hasher.update($0) } }
        #expect(hasher.finalize() == "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21")
    }

    @Test(arguments: [DigestAlgorithm.Hash.md5, .sha256, .sha512t256])
    func `pieces make no difference`(_ hash: DigestAlgorithm.Hash) {
        let bytes = Self.bytes(300)
        let whole = Self.hash([bytes[...]], hash)
        for cut in bytes.indices { #expect(Self.hash([bytes[..<cut], bytes[cut...]], hash) == whole) }
        #expect(Self.hash(bytes.indices.map { bytes[$0...$0] }, hash) == whole)
        #expect(Self.hash([[], bytes[...], []], hash) == whole)
    }

    @Test(arguments: [
        (DigestAlgorithm.Hash.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha512t256, "", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
    ])
    func `hashes are written in lower case`(_ hash: DigestAlgorithm.Hash, _ text: String, _ digest: String) {
        #expect(hash.hex(text) == digest)
    }

    @Test
    func `a hasher goes on after it was asked, and so does its copy`() {
        var hasher = BodyHasher(.sha512t256)
        hasher.update("ab")
        let before = hasher.finalize()
        var copy = hasher
        hasher.update("c")
        copy.update("d")
        #expect(hasher.finalize() == DigestAlgorithm.Hash.sha512t256.hex("abc"))
        #expect(copy.finalize() == DigestAlgorithm.Hash.sha512t256.hex("abd"))
        #expect(before == DigestAlgorithm.Hash.sha512t256.hex("ab"))
    }
}
