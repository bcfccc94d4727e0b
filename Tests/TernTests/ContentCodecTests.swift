// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernBrotli
import TernTesting
import TernZstandard
import TestSupport
import Testing

@Suite("Content codecs of the client", .hangLimit)
struct ContentCodecTests {
    private static let text = "Sterna paradisaea, Sterna hirundo, Sterna dougallii"
    /// The text, compressed by `brotli -q 5`.
    private static let brotli: [UInt8] = [
        0x1F, 0x32, 0x00, 0x00, 0x44, 0x37, 0x97, 0xAA, 0xF4, 0xB7, 0xF6, 0x90, 0x06, 0x93, 0x7F, 0x20, 0x0A, 0xFE,
        0xF6, 0x2D, 0xBA, 0xF4, 0x92, 0x8E, 0x44, 0xA8, 0x75, 0xFB, 0x7B, 0xE7, 0xC2, 0x40, 0x41, 0x3D, 0x38, 0x96,
        0x65, 0x5E, 0xF5, 0x24, 0x8B, 0x59, 0x73, 0x10, 0x21, 0x01,
    ]
    /// The text, compressed by `zstd --no-check`.
    private static let zstandard: [UInt8] = [
        0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x6D, 0x01, 0x00, 0x34, 0x02, 0x53, 0x74, 0x65, 0x72, 0x6E, 0x61, 0x20,
        0x70, 0x61, 0x72, 0x61, 0x64, 0x69, 0x73, 0x61, 0x65, 0x61, 0x2C, 0x20, 0x68, 0x69, 0x72, 0x75, 0x6E, 0x64,
        0x6F, 0x64, 0x6F, 0x75, 0x67, 0x61, 0x6C, 0x6C, 0x69, 0x69, 0x02, 0x00, 0x33, 0x8B, 0x69, 0xD9, 0x0C, 0x03,
    ]

    private static func scene(_ codecs: [ContentCodec], _ response: ScriptedResponse) -> ClientScene {
        var configuration = Client.Configuration()
        configuration.contentCodecs = codecs
        return ClientScene(configuration) { _ in response }
    }

    @Test(arguments: ["br", "BR", "zstd", "identity, zstd"])
    func `the client decodes what it asks for`(coding: String) async throws {
        let bytes = coding.lowercased() == "br" ? Self.brotli : Self.zstandard
        let scene = Self.scene(
            [.brotli, .zstandard],
            .response(fields: [.contentEncoding: coding], bytes: bytes)
        )
        let (data, _) = try await scene.client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == Self.text)
        #expect(scene.server.requests.map { $0.fields[.acceptEncoding] } == ["br, zstd, gzip, deflate"])
    }

    @Test func `without a codec, the client neither asks for a coding nor undoes it`() async throws {
        let scene = Self.scene([.brotli], .response(fields: [.contentEncoding: "zstd"], bytes: Self.zstandard))
        let (data, _) = try await scene.client.data(from: testURL)
        #expect(Array(data) == Self.zstandard)
        #expect(scene.server.requests.map { $0.fields[.acceptEncoding] } == ["br, gzip, deflate"])
    }

    @Test func `codings are undone in the opposite order`() async throws {
        let scene = Self.scene(
            [.zstandard, .brotli],
            .response(fields: [.contentEncoding: "br, zstd"], bytes: Self.stored(Self.brotli))
        )
        let (data, _) = try await scene.client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == Self.text)
    }

    /// Wraps bytes in a Zstandard frame with one raw block (RFC 8878 §3.1.1).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let header = bytes.count << 3 | 1  // the last block, raw
        let block = [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16 & 0xFF)]
        return [0x28, 0xB5, 0x2F, 0xFD, 0x20, UInt8(bytes.count)] + block + bytes
    }

    @Test func `content that was cut short is an error, and so is damaged content`() async throws {
        let short = Self.scene(
            [.brotli],
            .response(fields: [.contentEncoding: "br"], bytes: Array(Self.brotli.dropLast(9)))
        )
        await #expect { try await short.client.data(from: testURL) } throws: { error in
            if case ClientError.truncated = error { true } else { false }
        }
        let damaged = Self.scene(
            [.zstandard],
            .response(fields: [.contentEncoding: "zstd"], bytes: Array(Self.zstandard.reversed()))
        )
        await #expect { try await damaged.client.data(from: testURL) } throws: { error in
            if case ClientError.protocolViolation = error { true } else { false }
        }
    }

    @Test func `the limits of decompressed content apply`() async throws {
        var configuration = Client.Configuration()
        configuration.contentCodecs = [.zstandard]
        configuration.inflationLimits = InflationLimits(maximumByteCount: 20)
        let scene = ClientScene(configuration) { _ in
            .response(fields: [.contentEncoding: "zstd"], bytes: Self.zstandard)
        }
        await #expect { try await scene.client.data(from: testURL) } throws: { error in
            if case ClientError.bodyTooLarge(20, _) = error { true } else { false }
        }
    }
}
