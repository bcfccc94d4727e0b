// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import TestSupport
import Testing

@Suite("RFC 7692 §6 and §7.2: compressed messages")
struct CompressedMessageConformance {
    typealias Agreement = PerMessageDeflate.Agreement

    private static let any = Agreement()
    private static let noContext = Agreement(serverNoContextTakeover: true)
    /// The message "Hello" as in §7.2.3.1.
    ///
    /// The next constant is the same message compressed with the context of the first, as in §7.2.3.2.
    private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    private static let again: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]

    static let examples: [Vector<MessageExpectation>] = [
        .init("§7.2.3.1", "one block", frame(0xC1, hello), .decodes("text Hello", deflate: any)),
        .init(
            "§7.2.3.1",
            "two fragments",
            [0x41, 0x03, 0xF2, 0x48, 0xCD, 0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00],
            .decodes("text Hello", deflate: any)
        ),
        .init(
            "§7.2.3.2",
            "the window of the message before",
            frame(0xC1, hello) + frame(0xC1, again),
            .decodes("text Hello", "text Hello", deflate: any)
        ),
        .init(
            "§7.2.3.3",
            "a block without compression",
            [0xC1, 0x0B, 0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
            .decodes("text Hello", deflate: any)
        ),
        .init(
            "§7.2.3.4",
            "a block with BFINAL",
            [0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
            .decodes("text Hello", deflate: any)
        ),
        .init(
            "§7.2.3.5",
            "two blocks",
            frame(0xC1, [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]),
            .decodes("text Hello", deflate: any)
        ),
        .init("§7.2.3.6", "an empty message", frame(0xC1, [0x00]), .decodes("text ", deflate: any)),
    ]

    static let accepted: [Vector<MessageExpectation>] = [
        .init("§6", "messages may come uncompressed", frame(0x81, "a"), .decodes("text a", deflate: any)),
        .init(
            "§6",
            "both kinds may mix",
            frame(0xC1, hello) + frame(0x81, "a") + frame(0x01, "b") + frame(0x80, "c") + frame(0xC2, again),
            .decodes("text Hello", "text a", "text bc", "binary [72, 101, 108, 108, 111]", deflate: any)
        ),
        .init(
            "§6.1",
            "control frames between compressed fragments",
            frame(0x41, [0xF2, 0x48]) + frame(0x89, "p") + frame(0x00) + frame(0x80, Array(hello[2...])),
            .decodes("ping p", "text Hello", deflate: any)
        ),
        .init(
            "§6.1",
            "an empty fragment at the end",
            frame(0x41, hello) + frame(0x80) + frame(0xC1, again),
            .decodes("text Hello", "text Hello", deflate: any)
        ),
        .init(
            "§7.1.1.1",
            "each message by itself",
            frame(0xC1, hello) + frame(0xC1, hello),
            .decodes("text Hello", "text Hello", deflate: noContext)
        ),
        .init(
            "§7.1.1.1",
            "the context is that of the message, not of the frame",
            frame(0x41, hello + [0x00, 0x00, 0xFF, 0xFF]) + frame(0x80, again),
            .decodes("text HelloHello", deflate: noContext)
        ),
        .init(
            "§7.2.3.4",
            "blocks behind BFINAL",
            frame(0xC1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x52, 0x28, 0xCF, 0x2F, 0xCA, 0x49, 0x01, 0x00]),
            .decodes("text Hello world", deflate: any)
        ),
        .init(
            "§7.2.3.4",
            "a message behind BFINAL",
            frame(0xC1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]) + frame(0xC1, hello) + frame(0xC1, again),
            .decodes("text Hello", "text Hello", "text Hello", deflate: any)
        ),
        .init(
            "§7.2.3.4",
            "BFINAL without the byte behind it",
            frame(0xC1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]) + frame(0xC1, hello),
            .decodes("text Hello", "text Hello", deflate: any)
        ),
        .init(
            "§7.2.3.4",
            "BFINAL in every message, each by itself",
            frame(0xC1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]) + frame(0xC1, hello),
            .decodes("text Hello", "text Hello", deflate: noContext)
        ),
        .init(
            "§7.2.3.6",
            "empty messages between others",
            frame(0xC1, hello) + frame(0xC1, [0x00]) + frame(0xC2, [0x00]) + frame(0xC1, again),
            .decodes("text Hello", "text ", "binary []", "text Hello", deflate: any)
        ),
        .init(
            "§7.2.3.6",
            "an empty message without a byte",
            frame(0xC1) + frame(0xC1, hello) + frame(0x41) + frame(0x80) + frame(0xC1, again),
            .decodes("text ", "text Hello", "text ", "text Hello", deflate: any)
        ),
        .init(
            "§7.1.2.1",
            "a window of 512 bytes",
            frame(0xC1, [0x4A, 0x4C, 0x4A, 0x4E, 0x24, 0x1A, 0x01, 0x00]) + frame(0xC1, [0x22, 0x09, 0x01, 0x00]),
            .decodes(
                "text \(String(repeating: "abc", count: 15))",
                "text \(String(repeating: "abc", count: 15))",
                deflate: .init(serverWindowBits: 9)
            )
        ),
        .init(
            "§8.1 of RFC 6455",
            "text is checked inflated",
            frame(
                0xC1,
                [0x4A, 0x2F, 0x3A, 0xBC, 0xED, 0xF0, 0xFC, 0xD4, 0x22, 0x85, 0x0F, 0xF3, 0x67, 0x34, 0x00, 0x00]
            ),
            .decodes("text größer 😀", deflate: any)
        ),
        .init(
            "§5.5.1 of RFC 6455",
            "a Close",
            frame(0xC1, hello) + closeFrame(1000),
            .decodes("text Hello", "close 1000 ", deflate: any)
        ),
    ]

    static let refused: [Vector<MessageExpectation>] = [
        .init("§6.1", "a compressed ping", frame(0xC9), .breaks(.compressedControlFrame, deflate: any)),
        .init("§6.1", "a compressed Close", frame(0xC8), .breaks(.compressedControlFrame, deflate: any)),
        .init(
            "§6.1",
            "RSV1 on a continuation",
            frame(0x41, [0xF2, 0x48]) + frame(0xC0, Array(hello[2...])),
            .breaks(.compressedContinuation, deflate: any)
        ),
        .init("§6.1", "RSV1 on nothing's continuation", frame(0xC0), .breaks(.compressedContinuation, deflate: any)),
        .init("§5.2 of RFC 6455", "RSV2", frame(0xE1, hello), .breaks(.reservedBit, deflate: any)),
        .init("§5.2 of RFC 6455", "RSV3", frame(0xD1, hello), .breaks(.reservedBit, deflate: any)),
        .init("§6", "without an agreement", frame(0xC1, hello), .breaks(.reservedBit)),
        .init(
            "§5.4 of RFC 6455",
            "a message within",
            frame(0x41, hello) + frame(0xC1),
            .breaks(.interruptedMessage, deflate: any)
        ),
        .init("§7.2.2", "a reserved block type", frame(0xC1, [0x06]), .breaks(.corruptCompression, deflate: any)),
        .init(
            "§7.2.2",
            "a stored block with a bad length",
            frame(0xC1, [0, 5, 0, 5, 0]),
            .breaks(.corruptCompression, deflate: any)
        ),
        .init("§7.2.2", "a distance too far back", frame(0xC1, again), .breaks(.corruptCompression, deflate: any)),
        .init(
            "§7.1.1.1",
            "a context that was promised not to be",
            frame(0xC1, hello) + frame(0xC1, again),
            .breaks(.corruptCompression, after: "text Hello", deflate: noContext)
        ),
        .init(
            "§7.2.2",
            "a stored block that is cut",
            frame(0xC1, [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48]),
            .breaks(.corruptCompression, deflate: any)
        ),
        .init(
            "§8.1 of RFC 6455",
            "a surrogate",
            frame(0xC1, [0x4A, 0x4C, 0x4A, 0x7E, 0xBB, 0xA0, 0x01, 0x00]),
            .breaks(.invalidText, deflate: any)
        ),
        .init(
            "§8.1 of RFC 6455",
            "a cut character",
            frame(0xC1, [0x4A, 0x4C, 0x4A, 0x3E, 0x0C, 0x00]),
            .breaks(.invalidText, deflate: any)
        ),
    ]

    @Test(arguments: examples)
    func `the examples of the document are read`(_ vector: Vector<MessageExpectation>) { vector.check() }

    @Test(arguments: accepted)
    func `compressed messages are inflated`(_ vector: Vector<MessageExpectation>) { vector.check() }

    @Test(arguments: refused)
    func `what cannot be inflated, or must not be, is refused`(_ vector: Vector<MessageExpectation>) { vector.check() }
}
