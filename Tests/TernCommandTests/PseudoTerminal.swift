// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
@testable import TernCommand

/// A terminal without a screen, on which a test types keys and reads the output.
final class PseudoTerminal: Sendable {
    /// The error if the pseudo-terminal cannot be created.
    struct Unavailable: Error {}

    /// The path of the device, which the program opens.
    let path: String
    private let descriptor: CInt
    /// The program's end of the terminal.
    ///
    /// It stays open, so that the terminal does not end between two questions.
    private let program: CInt

    init() throws {
        self.descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard self.descriptor >= 0, let path = Self.unlock(self.descriptor) else { throw Unavailable() }
        self.path = path
        self.program = open(path, O_RDWR | O_NOCTTY)
        // An earlier test may have left an open line on a descriptor with this number.
        OpenLine.record([UInt8(ascii: "\n")], on: self.program)
    }

    deinit {
        close(self.program)
        close(self.descriptor)
    }

    /// Whether the terminal shows the typed keys.
    var echoes: Bool {
        var mode = termios()
        return tcgetattr(self.program, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Types keys on the terminal.
    func type(_ text: String) throws {
        try Array(text.utf8).withUnsafeBytes { try System.write($0, to: self.descriptor) }
    }

    /// Returns the output of the terminal, up to an expected text.
    func text(until end: String) async throws -> String {
        var shown: [UInt8] = []
        let input = StandardInput(descriptor: self.descriptor)
        for try await piece in input {
            shown += piece
            if shown.firstRange(of: Array(end.utf8)) != nil { break }
        }
        return String(decoding: shown, as: UTF8.self)
    }
}
