// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernWebSocketCore

/// Checks a server's handshake response, and traps if the client accepts a response that goes beyond the offer.
///
/// The first byte chooses the offer, the second the status. The rest consists of field lines, whose first character
/// chooses the name. If `Upgrade`, `Connection` or `Sec-WebSocket-Accept` has no line, the response gets a valid one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHandshake(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let lines = UnsafeBufferPointer(start: start + 2, count: count - 2).split(separator: 0x0A)
    var nonce = SampleNonce()
    let offer = offer(start[0])
    let subprotocols = start[0] & 64 == 0 ? ["chat", "b"] : []
    guard let handshake = try? ClientHandshake(subprotocols: subprotocols, deflate: offer, using: &nonce) else {
        preconditionFailure("an offer that is none")
    }
    precondition(handshake.fields[.secWebSocketKey] == "dGhlIHNhbXBsZSBub25jZQ==", "another key")
    let fields = fields(lines.prefix(64).map { String(decoding: $0, as: UTF8.self) })
    let status = start[1] == 0 ? 200 : 101
    do throws(HandshakeViolation) {
        let accepted = try handshake.check(status: status, fields: fields)
        precondition(status == 101, "accepted without a switch")
        precondition(
            accepted.subprotocol.map { subprotocols.contains($0) } ?? true,
            "a subprotocol that was not offered"
        )
        if let agreement = accepted.deflate { check(agreement, offer) }
    } catch {
        precondition(!error.description.isEmpty && !error.section.isEmpty)
    }
    return 0
}

/// Returns one of many offers, which the byte chooses; `nil` if its highest bit is set.
func offer(_ byte: UInt8) -> PerMessageDeflate.Offer? {
    guard byte & 128 == 0 else { return nil }
    var offer = PerMessageDeflate.Offer()
    offer.serverNoContextTakeover = byte & 1 != 0
    offer.clientNoContextTakeover = byte & 2 != 0
    if byte & 4 != 0 { offer.serverMaximumWindowBits = 10 }
    if byte & 8 != 0 { offer.clientMaximumWindowBits = byte & 16 == 0 ? .unmentioned : .bits(12) }
    return offer
}

/// Checks that the agreement does not go beyond the offer.
func check(_ agreement: PerMessageDeflate.Agreement, _ offer: PerMessageDeflate.Offer?) {
    guard let offer else { preconditionFailure("compression that was not offered") }
    precondition(agreement.serverNoContextTakeover || !offer.serverNoContextTakeover)
    precondition(agreement.clientNoContextTakeover || !offer.clientNoContextTakeover)
    precondition(8...(offer.serverMaximumWindowBits ?? 15) ~= agreement.serverWindowBits)
    switch offer.clientMaximumWindowBits {
    case .unmentioned: precondition(agreement.clientWindowBits == 15)
    case .any: precondition(8...15 ~= agreement.clientWindowBits)
    case .bits(let bits): precondition(8...bits ~= agreement.clientWindowBits)
    }
}

/// Returns the fields of a response, from lines such as `epermessage-deflate`.
func fields(_ lines: [String]) -> HTTPFields {
    let names: [Character: HTTPField.Name] = [
        "u": .upgrade, "c": .connection, "a": .secWebSocketAccept, "p": .secWebSocketProtocol,
        "e": .secWebSocketExtensions,
    ]
    var fields = HTTPFields()
    for line in lines {
        guard let first = line.first, let name = names[first] else { continue }
        fields.append(HTTPField(name: name, value: String(line.dropFirst())))
    }
    if fields[.upgrade] == nil { fields[.upgrade] = "websocket" }
    if fields[.connection] == nil { fields[.connection] = "Upgrade" }
    if fields[.secWebSocketAccept] == nil { fields[.secWebSocketAccept] = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" }
    return fields
}

/// The nonce of the example in RFC 6455 §1.3.
struct SampleNonce: RandomNumberGenerator {
    private var bytes = Array("the sample nonce".utf8)[...]

    mutating func next() -> UInt64 {
        defer { self.bytes = self.bytes.dropFirst(8) }
        return self.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
