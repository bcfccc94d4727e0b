// SPDX-License-Identifier: Apache-2.0

/// Parses the URL of a request, strictly; see ``LenientURLReader`` for the forms of other editors.
struct URLReader {
    private(set) var server = RequestDefinition.Server.address("")
    private(set) var addressTemplate: Template?
    private(set) var target = Template()
    private(set) var uses: [VariableUse] = []

    private let parts: [FileLine]
    private let variables: VariableTable

    init(_ parts: [FileLine], variables: VariableTable) {
        self.parts = parts
        self.variables = variables
    }

    mutating func read() throws(Diagnostic) {
        var scanner = TemplateScanner(self.parts[...], isLenient: false)
        guard let first = try scanner.next() else { return }
        let next: TemplateScanner.Symbol?
        switch first {
        case .variable(let reference):
            try self.readServer(reference)
            next = try Self.skippingLines(&scanner)
            guard next.map({ $0 == .byte(UInt8(ascii: "/")) || $0 == .byte(UInt8(ascii: "?")) }) ?? true else {
                throw Diagnostic(.malformedAddressEnd(reference.name), at: scanner.position)
            }
        case .byte(let byte):
            next = try self.readAddress(byte, &scanner)
        }
        try self.readTarget(from: next, &scanner)
    }

    /// Skips line endings, which do not belong to the URL.
    private static func skippingLines(_ scanner: inout TemplateScanner) throws(Diagnostic) -> TemplateScanner.Symbol? {
        while let symbol = try scanner.next() {
            if symbol != .byte(0x0A) { return symbol }
        }
        return nil
    }

    // MARK: The address

    private mutating func readServer(_ reference: VariableReference) throws(Diagnostic) {
        if let value = self.variables.value(of: reference.name) {
            let rest = value.firstRange(of: "://").map { value[$0.upperBound...] } ?? ""
            guard ServerAddress.isScheme(value.prefix { $0 != ":" }), !rest.isEmpty, !rest.hasPrefix("/"),
                value.utf8.allSatisfy({ $0.isTargetByte && $0 < 0x80 || "[]".utf8.contains($0) }),
                !value.contains("?")
            else { throw Diagnostic(.malformedAddress(reference.name), at: reference.position) }
            let authority = rest.prefix { $0 != "/" }
            if authority.contains("@") { throw Diagnostic(.userInURL, at: reference.position) }
            try Self.check(authority: String(authority), at: reference.position)
        }
        self.server = .variable(reference.name)
        self.uses.append(VariableUse(reference: reference, place: .server))
    }

    /// Reads the address, and returns the first symbol of the path or the query, if there is one.
    private mutating func readAddress(
        _ first: UInt8,
        _ scanner: inout TemplateScanner
    ) throws(Diagnostic) -> TemplateScanner.Symbol? {
        let start = scanner.position
        var bytes = [first]
        while bytes.count < 8, !bytes.suffix(3).elementsEqual("://".utf8) {
            guard case .byte(let byte)? = try scanner.next() else { throw Diagnostic(.malformedScheme, at: start) }
            bytes.append(byte)
        }
        guard bytes.suffix(3).elementsEqual("://".utf8), ServerAddress.isScheme(bytes.dropLast(3)[...].text) else {
            throw Diagnostic(.malformedScheme, at: start)
        }
        let schemeCount = bytes.count
        var template = TemplateBuilder()
        for byte in bytes { template.append(.byte(byte)) }
        var host: TextPosition?
        while let symbol = try Self.skippingLines(&scanner) {
            let begin = host ?? scanner.position
            host = begin
            switch symbol {
            case .byte(UInt8(ascii: "/")), .byte(UInt8(ascii: "?")), .byte(UInt8(ascii: "#")):
                guard bytes.count > schemeCount else { throw Diagnostic(.malformedHost, at: scanner.position) }
                try Self.check(authority: bytes.dropFirst(schemeCount).text, at: begin)
                self.settle(bytes, &template)
                return symbol
            case .byte(UInt8(ascii: "@")): throw Diagnostic(.userInURL, at: scanner.position)
            case .byte(let byte):
                guard byte.isHostByte else { throw Diagnostic(.malformedHost, at: scanner.position) }
                bytes.append(byte)
                template.append(symbol)
            case .variable(let reference):
                bytes += try self.host(reference)
                template.append(symbol)
            }
        }
        guard let host else { throw Diagnostic(.malformedHost, at: scanner.position) }
        try Self.check(authority: bytes.dropFirst(schemeCount).text, at: host)
        self.settle(bytes, &template)
        return nil
    }

    private mutating func settle(_ address: [UInt8], _ builder: inout TemplateBuilder) {
        self.server = .address(address[...].text)
        let template = builder.finish()
        self.addressTemplate = template.literal == nil ? template : nil
    }

    /// Rejects addresses to which no client could connect.
    private static func check(authority: String, at position: TextPosition) throws(Diagnostic) {
        if let rule = ServerAddress.problem(ofAuthority: authority) { throw Diagnostic(rule, at: position) }
    }

    /// Returns the value of a variable in the host, which the file must define: a later value could end the host with a slash.
    private func host(_ reference: VariableReference) throws(Diagnostic) -> [UInt8] {
        guard let value = self.variables.value(of: reference.name) else {
            throw Diagnostic(.variableInHost(reference.name), at: reference.position)
        }
        guard value.utf8.allSatisfy(\.isHostByte) else { throw Diagnostic(.malformedHost, at: reference.position) }
        return Array(value.utf8)
    }

    // MARK: Path and query

    private mutating func readTarget(
        from first: TemplateScanner.Symbol?,
        _ scanner: inout TemplateScanner
    ) throws(Diagnostic) {
        var check = TargetCheck()
        var builder = TemplateBuilder()
        var symbol = first
        while let present = symbol {
            try check.take(present, at: scanner.position)
            builder.append(present)
            symbol = try Self.skippingLines(&scanner)
        }
        try check.finish()
        self.target = builder.finish()
        for use in check.uses {
            if use.place == .path, let value = self.variables.value(of: use.reference.name),
                value.contains(where: { "/?#".contains($0) })
            {
                throw Diagnostic(.valueWouldBeEncoded(use.reference.name), at: use.reference.position)
            }
        }
        self.uses += check.uses
    }
}
