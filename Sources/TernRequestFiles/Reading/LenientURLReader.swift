// SPDX-License-Identifier: Apache-2.0

/// Parses the URL of a request that is only sent, in the forms of other editors.
///
/// Any text and variables before the path are the address of the server, and characters that a URL must not contain are encoded.
struct LenientURLReader {
    private typealias Place = (symbol: TemplateScanner.Symbol, position: TextPosition)

    /// The address; `nil` if the URL is only a path and a query.
    private(set) var server: RequestDefinition.Server?
    private(set) var target = Template()
    private(set) var uses: [VariableUse] = []

    private let parts: [FileLine]
    private let variables: VariableTable

    init(_ parts: [FileLine], variables: VariableTable) {
        self.parts = parts
        self.variables = variables
    }

    mutating func read(_ tolerance: inout Tolerance) throws(Diagnostic) {
        var scanner = TemplateScanner(self.parts[...], isLenient: true)
        var places: [Place] = []
        while let symbol = try scanner.next() {
            // A line ending within a URL does not belong to the URL.
            if symbol != .byte(0x0A) { places.append((symbol, scanner.position)) }
        }
        let index = Self.targetIndex(places)
        try self.readServer(places[..<index], &tolerance)
        try self.readTarget(places[index...], &tolerance)
    }

    /// Returns the index at which the path, the query or the fragment begins: of `?`, `#`, or a slash that is not in `://`.
    private static func targetIndex(_ places: [Place]) -> Int {
        var hasScheme = false
        var index = 0
        while index < places.count {
            switch places[index].symbol {
            case .byte(UInt8(ascii: "?")), .byte(UInt8(ascii: "#")): return index
            case .byte(UInt8(ascii: "/")):
                let isAfterScheme = index > 0 && places[index - 1].symbol == .byte(UInt8(ascii: ":"))
                let next = index + 1 < places.count ? places[index + 1].symbol : nil
                guard !hasScheme, isAfterScheme, next == .byte(UInt8(ascii: "/")) else { return index }
                hasScheme = true
                index += 1
            default: break
            }
            index += 1
        }
        return index
    }

    // MARK: The address

    private mutating func readServer(_ places: ArraySlice<Place>, _ tolerance: inout Tolerance) throws(Diagnostic) {
        let places = Self.withoutBlanks(places)  // a comment may follow
        guard let first = places.first else { return }
        var builder = TemplateBuilder()
        for place in places {
            builder.append(place.symbol)
            switch place.symbol {
            case .byte(UInt8(ascii: "@")): throw Diagnostic(.userInURL, at: place.position)
            case .byte: break
            case .variable(let reference): self.uses.append(VariableUse(reference: reference, place: .server))
            }
        }
        let template = builder.finish()
        guard template.pieces.count <= RequestFileLimits.maximumParameterCount else {
            throw Diagnostic(.tooMany("parameters"), at: first.position)
        }
        self.server = .template(template)
        guard let values = self.values(of: template) else { return }
        let text: String
        do throws(ServerAddress.Failure) {
            text = try ServerAddress.text(of: template) { values[$0] ?? "" }
        } catch {
            throw Diagnostic(error.rule, at: first.position)
        }
        if !template.text({ values[$0] ?? "" }).contains("://") {
            try tolerance.forgive(.missingScheme, at: first.position)
        }
        if template.literal != nil { self.server = .address(text) }
    }

    private func values(of template: Template) -> [String: String]? {
        var values: [String: String] = [:]
        for case .variable(let name) in template.pieces {
            guard let value = self.variables.value(of: name) else { return nil }
            values[name] = value
        }
        return values
    }

    // MARK: Path and query

    private mutating func readTarget(_ places: ArraySlice<Place>, _ tolerance: inout Tolerance) throws(Diagnostic) {
        var check = TargetCheck()
        var builder = TemplateBuilder()
        for place in try self.normalized(places, &tolerance) {
            try check.take(place.symbol, at: place.position)
            builder.append(place.symbol)
        }
        try check.finish()
        self.target = builder.finish()
        self.uses += check.uses
    }

    /// Encodes characters, drops the fragment, and inserts values with `/`, `?` or `#`, with a limit for all values together.
    private func normalized(
        _ places: ArraySlice<Place>,
        _ tolerance: inout Tolerance
    ) throws(Diagnostic) -> [Place] {
        var result: [Place] = []
        var isInQuery = false
        var insertedCount = 0
        var places = places
        if let index = places.firstIndex(where: { $0.symbol == .byte(UInt8(ascii: "#")) }) {
            try tolerance.forgive(.fragment, at: places[index].position)
            places = Self.withoutBlanks(places[..<index])  // after a blank, it is a comment
        }
        for (index, place) in zip(places.indices, places) {
            switch place.symbol {
            case .byte(let byte):
                if byte == UInt8(ascii: "?") { isInQuery = true }
                if byte == UInt8(ascii: "%") ? Self.isTriplet(places[index...]) : byte.isTargetByte {
                    result.append(place)
                } else {
                    try tolerance.forgive(.malformedTarget, at: place.position)
                    result += Self.encoded(byte).map { (.byte($0), place.position) }
                }
            case .variable(let reference):
                // The author of the file wrote this value for this place, so its slashes are meant.
                if !isInQuery, let value = self.variables.value(of: reference.name),
                    value.contains(where: { "/?#".contains($0) })
                {
                    try tolerance.forgive(.valueWouldBeEncoded(reference.name), at: place.position)
                    insertedCount += value.utf8.count
                    guard insertedCount <= RequestFileLimits.maximumValueByteCount else {
                        throw Diagnostic(.valueTooLong, at: place.position)
                    }
                    let inserted = value.utf8.map { Place(.byte($0), place.position) }
                    result += try self.normalized(inserted[...], &tolerance)
                    isInQuery = isInQuery || value.contains("?")
                } else {
                    result.append(place)
                }
            }
        }
        return result
    }

    private static func withoutBlanks(_ places: ArraySlice<Place>) -> ArraySlice<Place> {
        var places = places
        while case .byte(let byte)? = places.last?.symbol, byte.isBlank { places.removeLast() }
        return places
    }

    private static func isTriplet(_ places: ArraySlice<Place>) -> Bool {
        let digits = places.dropFirst().prefix(2)
        return digits.count == 2
            && digits.allSatisfy { place in
                if case .byte(let byte) = place.symbol { byte.isHexDigit } else { false }
            }
    }

    private static func encoded(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
    }
}
