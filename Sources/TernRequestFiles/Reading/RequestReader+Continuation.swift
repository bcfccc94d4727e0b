// SPDX-License-Identifier: Apache-2.0

extension RequestReader {
    /// Returns the part of the URL on a line that continues it, a query even without indentation; an empty part for a comment.
    static func lenientContinuation(_ line: FileLine) -> FileLine? {
        let start = line.trimmed
        let isIndented = line.bytes.first?.isBlank == true
        switch start.bytes.first {
        case nil: return nil
        case UInt8(ascii: "?"), UInt8(ascii: "&"): return start.bytes.starts(with: "??") ? nil : start
        case _ where !isIndented: return nil
        case _ where start.bytes.isComment: return start.part(start.bytes.prefix(0))
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "@"): return nil
        case UInt8(ascii: "{"): return start.bytes.starts(with: "{{") ? start : nil
        default: return Self.isField(start) ? nil : start
        }
    }

    /// Returns whether a line begins with a token and a colon, but not with a scheme and `://`.
    private static func isField(_ line: FileLine) -> Bool {
        let name = line.bytes.prefix(while: \.isTokenByte)
        let rest = line.bytes[name.endIndex...]
        return !name.isEmpty && rest.first == UInt8(ascii: ":") && !rest.starts(with: "://")
    }

    /// Takes the server from the field `Host`, which it removes, or without that field, from the variable `host`.
    mutating func settleServer() throws(Diagnostic) {
        var server = Template()
        if let index = self.request.fields.firstIndex(where: { $0.name.lowercased() == "host" }) {
            server = self.request.fields.remove(at: index).value
        } else {
            let reference = VariableReference(name: "host", position: self.request.position)
            server.append(variable: reference.name)
            self.use(reference, as: .server)
            self.servers.append(reference)
        }
        self.request.server = .template(server)
        guard let literal = server.literal else { return }
        do throws(ServerAddress.Failure) {
            self.request.server = .address(try ServerAddress.text(of: server) { _ in literal })
        } catch {
            throw Diagnostic(error.rule, at: self.request.position)
        }
    }
}
