// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernWebSocketCore
import Testing

@Suite("RFC 7692 §5 and §7.1: negotiation")
struct NegotiationConformance {
    typealias Agreement = PerMessageDeflate.Agreement
    typealias Offer = PerMessageDeflate.Offer

    private static func offer(_ change: (inout Offer) -> Void) -> Offer {
        var offer = Offer()
        change(&offer)
        return offer
    }

    private static let plain = Offer()
    private static let unmentioned = offer { $0.clientMaximumWindowBits = .unmentioned }
    private static let twelve = offer { $0.clientMaximumWindowBits = .bits(12) }
    private static let serverFifteen = offer { $0.serverMaximumWindowBits = 15 }
    private static let serverTen = offer { $0.serverMaximumWindowBits = 10 }
    private static let serverAlone = offer { $0.serverNoContextTakeover = true }
    private static let clientAlone = offer { $0.clientNoContextTakeover = true }

    static let offers: [(Offer, String)] = [
        (plain, "permessage-deflate; client_max_window_bits"),
        (unmentioned, "permessage-deflate"),
        (twelve, "permessage-deflate; client_max_window_bits=12"),
        (serverTen, "permessage-deflate; server_max_window_bits=10; client_max_window_bits"),
        (serverAlone, "permessage-deflate; server_no_context_takeover; client_max_window_bits"),
        (clientAlone, "permessage-deflate; client_no_context_takeover; client_max_window_bits"),
    ]

    @Test("§7.1: the client writes an offer by the grammar", arguments: offers)
    func writes(_ offer: Offer, _ value: String) { #expect(offer.fieldValue == value) }

    private static func vector(
        _ section: String,
        _ rule: String,
        _ offer: Offer,
        _ parameters: String,
        _ expected: Result<Agreement, HandshakeViolation>
    ) -> HandshakeVector {
        HandshakeVector(
            section,
            rule,
            compressing: offer,
            HandshakeVector.good + [(.secWebSocketExtensions, "permessage-deflate\(parameters)")],
            expected.map { AcceptedHandshake(deflate: $0) }
        )
    }

    static let accepted: [HandshakeVector] = [
        vector("§7", "nothing said", plain, "", .success(.init())),
        vector("§7", "nothing said of the client's promise", twelve, "", .success(.init(clientWindowBits: 12))),
        vector(
            "§7.1.1.1",
            "asked for",
            serverAlone,
            "; server_no_context_takeover",
            .success(.init(serverNoContextTakeover: true))
        ),
        vector(
            "§7.1.1.1",
            "not asked for",
            plain,
            "; server_no_context_takeover",
            .success(.init(serverNoContextTakeover: true))
        ),
        vector("§7.1.1.2", "promised", clientAlone, "", .success(.init(clientNoContextTakeover: true))),
        vector(
            "§7.1.1.2",
            "demanded",
            plain,
            "; client_no_context_takeover",
            .success(.init(clientNoContextTakeover: true))
        ),
        vector(
            "§7.1.2.1",
            "the window asked for",
            serverTen,
            ";server_max_window_bits=10",
            .success(.init(serverWindowBits: 10))
        ),
        vector(
            "§7.1.2.1",
            "a smaller one",
            serverTen,
            ";server_max_window_bits=8",
            .success(.init(serverWindowBits: 8))
        ),
        vector("§7.1.2.1", "the largest window, asked for and not repeated", serverFifteen, "", .success(.init())),
        vector("§7.1.2.1", "not asked for", plain, ";server_max_window_bits=9", .success(.init(serverWindowBits: 9))),
        vector(
            "§7.1.2.1",
            "in quotes",
            plain,
            ";server_max_window_bits=\"1\\1\"",
            .success(.init(serverWindowBits: 11))
        ),
        vector(
            "§7.1.2.2",
            "a window for the client",
            plain,
            ";client_max_window_bits=10",
            .success(.init(clientWindowBits: 10))
        ),
        vector(
            "§7.1.2.2",
            "the smallest one",
            plain,
            ";client_max_window_bits=8",
            .success(.init(clientWindowBits: 8))
        ),
        vector("§7.1.2.2", "the largest one", plain, ";client_max_window_bits=15", .success(.init())),
        vector(
            "§7.1.2.2",
            "below the promise",
            twelve,
            ";client_max_window_bits=11",
            .success(.init(clientWindowBits: 11))
        ),
        vector(
            "§7.1",
            "all four, with blanks",
            plain,
            " ; client_no_context_takeover;\tserver_no_context_takeover ; client_max_window_bits = 9 ;server_max_window_bits=14",
            .success(
                .init(
                    serverNoContextTakeover: true,
                    clientNoContextTakeover: true,
                    serverWindowBits: 14,
                    clientWindowBits: 9
                )
            )
        ),
    ]

    private static func bad(_ name: String) -> Result<Agreement, HandshakeViolation> { .failure(.badParameter(name)) }

    static let refused: [HandshakeVector] = [
        vector("§5", "twice", plain, ", permessage-deflate", .failure(.repeatedExtension)),
        vector("§7.1", "an unknown parameter", plain, "; x", .failure(.unknownParameter)),
        vector("§7.1", "names have case", plain, "; Server_no_context_takeover", .failure(.unknownParameter)),
        vector(
            "§7.1",
            "a parameter twice",
            plain,
            "; server_max_window_bits=9; server_max_window_bits=9",
            .failure(.repeatedParameter("server_max_window_bits"))
        ),
        vector(
            "§7.1.1.1",
            "a flag with a value",
            plain,
            "; server_no_context_takeover=1",
            bad("server_no_context_takeover")
        ),
        vector(
            "§7.1.1.2",
            "a flag with a value",
            plain,
            "; client_no_context_takeover=\"a\"",
            bad("client_no_context_takeover")
        ),
        vector("§7.1.1.1", "ignored", serverAlone, "", .failure(.ignoredParameter("server_no_context_takeover"))),
        vector("§7.1.2.1", "ignored", serverTen, "", .failure(.ignoredParameter("server_max_window_bits"))),
        vector(
            "§7.1.2.1",
            "a larger window than asked for",
            serverTen,
            "; server_max_window_bits=11",
            bad("server_max_window_bits")
        ),
        vector("§7.1.2.2", "not offered", unmentioned, "; client_max_window_bits=15", bad("client_max_window_bits")),
        vector(
            "§7.1.2.2",
            "a larger window than promised",
            twelve,
            "; client_max_window_bits=13",
            bad("client_max_window_bits")
        ),
    ]

    static let badWindows = ["", "=7", "=16", "=0", "=08", "=+9", "=-9", "=9.0", "=99999999999999999999", "=x"]

    @Test(arguments: accepted)
    func `what the server may answer is agreed on`(_ vector: HandshakeVector) throws { try vector.check() }

    @Test(arguments: refused)
    func `what it may not answer is refused`(_ vector: HandshakeVector) throws { try vector.check() }

    @Test("§7.1.2: a window is a number from 8 to 15 without leading zeros", arguments: badWindows)
    func windows(_ value: String) throws {
        for name in ["server_max_window_bits", "client_max_window_bits"] {
            try Self.vector("§7.1.2", value, Self.plain, "; \(name)\(value)", Self.bad(name)).check()
        }
    }

    @Test("§5: several fields form one list")
    func severalFields() throws {
        let value: (HTTPField.Name, String) = (.secWebSocketExtensions, "permessage-deflate")
        let vector = HandshakeVector(
            "§5",
            "",
            compressing: Self.plain,
            HandshakeVector.good + [value, value],
            .failure(.repeatedExtension)
        )
        try vector.check()
    }
}
