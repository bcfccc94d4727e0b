// SPDX-License-Identifier: Apache-2.0

/// Reads one request: its line, its fields and its body.
struct RequestReader {
    var request: RequestDefinition
    /// The variables in the address of the server, which the file may define.
    var servers: [VariableReference] = []
    var tolerance: Tolerance
    /// Whether a field or a variable must name the server.
    var lacksServer = false
    /// The number of lines with a field so far; several lines may become one field.
    var fieldLineCount = 0
    var isGraphQL = false
    let variables: VariableTable

    init(position: TextPosition, variables: VariableTable, _ tolerance: Tolerance) {
        self.request = RequestDefinition(position: position)
        self.variables = variables
        self.tolerance = tolerance
    }

    var isLenient: Bool { self.tolerance.isLenient }

    mutating func read(_ lines: [FileLine], _ preamble: Preamble) throws(Diagnostic) {
        var rest = lines[...]
        guard let first = rest.popFirst() else { return }
        self.request.name = preamble.name?.name
        self.request.positionOfName = preamble.name?.position
        self.request.isDisabled = preamble.isDisabled
        self.request.documentation = preamble.documentation
        self.request.followsRedirects = preamble.followsRedirects
        if let script = Self.script(first) { throw Diagnostic(script, at: first.position) }
        try self.readRequestLine(first, &rest)
        try self.readFields(&rest)
        if self.lacksServer { try self.settleServer() }
        try self.readBody(self.withoutScripts(rest))
        try self.settleResult(preamble)
        try self.describeParameters(preamble.descriptions)
    }

    mutating func use(_ reference: VariableReference, as place: VariablePlace) {
        self.request.uses.append(VariableUse(reference: reference, place: place))
    }

    static func script(_ line: FileLine) -> RequestFileRule? {
        let start = line.bytes.trimmed
        guard start.first == UInt8(ascii: "<") else { return nil }
        return start.dropFirst().trimmed.starts(with: "{%") ? .requestScript : nil
    }

    // MARK: The request line

    private mutating func readRequestLine(_ first: FileLine, _ rest: inout ArraySlice<FileLine>) throws(Diagnostic) {
        var line = first.trimmed
        var afterMethod = line
        if let word = afterMethod.takeWord(), try self.readMethod(word, before: afterMethod) {
            line = afterMethod.trimmed
        }
        line = self.withoutVersion(line)
        guard !line.bytes.isEmpty else { throw Diagnostic(.missingURL, at: line.position) }
        var parts = [line]
        while let next = rest.first, let part = try self.continuation(next) {
            if !part.bytes.isEmpty { parts.append(self.withoutVersion(part)) }
            rest.removeFirst()
        }
        if self.isLenient {
            var reader = LenientURLReader(parts, variables: self.variables)
            try reader.read(&self.tolerance)
            if let server = reader.server { self.request.server = server } else { self.lacksServer = true }
            self.request.target = reader.target
            self.take(reader.uses)
        } else {
            var reader = URLReader(parts, variables: self.variables)
            try reader.read()
            (self.request.server, self.request.target) = (reader.server, reader.target)
            self.request.addressTemplate = reader.addressTemplate
            self.take(reader.uses)
        }
    }

    private mutating func take(_ uses: [VariableUse]) {
        self.request.uses += uses
        self.servers = uses.filter { $0.place == .server && ValueExpression($0.reference.name) == nil }.map(\.reference)
    }

    /// Drops the version at the end of a line, and warns of a version other than HTTP/1.1.
    private mutating func withoutVersion(_ line: FileLine) -> FileLine {
        guard let blank = line.bytes.lastIndex(where: \.isBlank) else { return line }
        let word = line.bytes[(blank + 1)...]
        guard word.starts(with: "HTTP/") else { return line }
        if !word.elementsEqual("HTTP/1.1".utf8) {
            self.tolerance.warn(.otherVersion, at: line.position(of: word.startIndex))
        }
        return line.part(line.bytes[..<blank].trimmed)
    }

    /// Returns the part of the URL on a line after the request line, if there is one.
    private func continuation(_ line: FileLine) throws(Diagnostic) -> FileLine? {
        guard !self.isLenient else { return Self.lenientContinuation(line) }
        guard line.bytes.first?.isBlank == true, !line.isBlank else { return nil }
        guard let byte = line.bytes.trimmed.first, "/?&".utf8.contains(byte) else {
            throw Diagnostic(.malformedContinuation, at: line.position)
        }
        return line.trimmed
    }

    // MARK: The rest

    /// Returns the lines before a line that begins with `>`, for a script or for a file to write the response to, or with `<>`, for
    /// a file with an earlier response.
    private mutating func withoutScripts(_ lines: ArraySlice<FileLine>) throws(Diagnostic) -> ArraySlice<FileLine> {
        let index = lines.firstIndex { line in
            [">", "<>"].contains { line.bytes.starts(with: $0.utf8) } || Self.script(line) != nil
        }
        guard let index else { return lines }
        var rest = lines[index...]
        while let line = rest.popFirst() {
            if let script = Self.script(line) { throw Diagnostic(script, at: line.position) }
            if line.isBlank || line.bytes.starts(with: "<>") { continue }
            if self.isLenient, line.bytes.trimmed.isComment { continue }
            guard line.bytes.first == UInt8(ascii: ">") else { throw Diagnostic(.textBehindBody, at: line.position) }
            let text = line.bytes.dropFirst().trimmed
            let isScript = text.starts(with: "{%")
            let rule = isScript || text.text.hasSuffix(".js") ? RequestFileRule.responseScript : .responseFile
            self.tolerance.warn(rule, at: line.position)
            if isScript { Self.skipScript(line, &rest) }
        }
        return lines[..<index]
    }

    static func skipScript(_ first: FileLine, _ rest: inout ArraySlice<FileLine>) {
        var line: FileLine? = first
        while let present = line, !present.bytes.text.contains("%}") { line = rest.popFirst() }
    }

    private mutating func settleResult(_ preamble: Preamble) throws(Diagnostic) {
        let isMarked = self.request.method == "WEBSOCKET"
        if isMarked { self.request.method = "GET" }
        let isWebSocket = isMarked || self.hasWebSocketScheme
        let said = preamble.result
        self.request.result = said?.kind ?? (isWebSocket ? .webSocket : .data)
        guard self.request.isWebSocket || isWebSocket else { return try self.settleStream(preamble) }
        guard self.request.isWebSocket, self.request.method == "GET" else {
            throw Diagnostic(.malformedWebSocket, at: said?.position ?? self.request.position)
        }
        if self.request.body != nil { throw Diagnostic(.bodyNotAllowed, at: self.request.position) }
        try self.settleStream(preamble)
    }

    private mutating func settleStream(_ preamble: Preamble) throws(Diagnostic) {
        if let position = preamble.reconnection {
            guard self.request.result == .events else { throw Diagnostic(.reconnectNeedsEvents, at: position) }
            self.request.result = .reconnectingEvents
        }
        if let (rule, position) = preamble.finalEvent {
            guard self.request.result.isEvents else { throw Diagnostic(.untilNeedsEvents, at: position) }
            self.request.finalEvent = rule
        }
    }

    private var hasWebSocketScheme: Bool {
        let address: String? =
            switch self.request.server {
            case .address(let text): text
            case .variable(let name): self.variables.value(of: name)
            case .template(let template): template.text { self.variables.value(of: $0) ?? "" }
            }
        return address.map { ["ws:", "wss:"].contains($0.prefix { $0 != "/" }.lowercased()) } ?? false
    }

    private mutating func describeParameters(_ descriptions: [Preamble.Description]) throws(Diagnostic) {
        for description in descriptions {
            guard !self.request.parameters.contains(where: { $0.name == description.name }) else {
                throw Diagnostic(.duplicateParameter(description.name), at: description.position)
            }
            guard self.isLenient || !self.request.result.reservedNames.contains(description.name) else {
                throw Diagnostic(.reservedName(description.name), at: description.position)
            }
            self.request.parameters.append(
                Parameter(
                    name: description.name,
                    type: description.type ?? .string,
                    defaultValue: description.defaultValue ?? (description.type?.isOptional == true ? .null : nil),
                    documentation: description.documentation,
                    position: description.position,
                    isTyped: description.type != nil
                )
            )
        }
    }
}
