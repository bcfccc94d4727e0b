// SPDX-License-Identifier: Apache-2.0

/// Checks each symbol (a byte or a variable) of a path and a query, and determines the places of the variables.
struct TargetCheck {
    private(set) var uses: [VariableUse] = []

    private var isInQuery = false
    /// The literal text of the current path component; `nil` if it contains a variable.
    private var component: [UInt8]? = []
    private var componentPosition: TextPosition?
    private var digitCount = 0
    private var lastByte: UInt8?
    private var isInName = true
    /// Whether the previous symbol is a variable directly after the equals sign, and so the whole value if the item ends now.
    private var mayBeWhole = false

    mutating func take(_ symbol: TemplateScanner.Symbol, at position: TextPosition) throws(Diagnostic) {
        switch symbol {
        case .byte(let byte):
            try self.take(byte, at: position)
            self.mayBeWhole = false
            self.lastByte = byte
        case .variable(let reference):
            guard self.digitCount == 0 else { throw Diagnostic(.malformedTarget, at: position) }
            self.component = nil
            self.settleWhole(false)
            self.mayBeWhole = self.isInQuery && self.lastByte == UInt8(ascii: "=") && self.isFirstEquals
            self.uses.append(
                VariableUse(reference: reference, place: self.isInQuery ? .query(isWhole: false) : .path)
            )
            self.lastByte = nil
        }
    }

    mutating func finish() throws(Diagnostic) {
        guard self.digitCount == 0 else {
            throw Diagnostic(.malformedTarget, at: self.componentPosition ?? TextPosition(line: 1, column: 1))
        }
        if !self.isInQuery { try self.endComponent() }
        self.settleWhole(true)
    }

    /// Whether the last equals sign was the first one of its item.
    private var isFirstEquals = false

    private mutating func take(_ byte: UInt8, at position: TextPosition) throws(Diagnostic) {
        if byte == UInt8(ascii: "#") { throw Diagnostic(.fragment, at: position) }
        guard byte.isTargetByte else { throw Diagnostic(.malformedTarget, at: position) }
        self.componentPosition = self.componentPosition ?? position
        if self.digitCount > 0 {
            guard byte.isHexDigit else { throw Diagnostic(.malformedTarget, at: position) }
            self.digitCount -= 1
        } else if byte == UInt8(ascii: "%") {
            self.digitCount = 2
        }
        switch (self.isInQuery, byte) {
        case (false, UInt8(ascii: "/")):
            try self.endComponent()
        case (false, UInt8(ascii: "?")):
            try self.endComponent()
            self.isInQuery = true
        case (false, _):
            if self.component?.isEmpty == true { self.componentPosition = position }
            self.component?.append(byte)
        case (true, UInt8(ascii: "&")):
            self.settleWhole(true)
            self.isInName = true
        case (true, UInt8(ascii: "=")):
            self.isFirstEquals = self.isInName
            self.isInName = false
        case (true, _):
            return
        }
    }

    private mutating func settleWhole(_ isWhole: Bool) {
        guard self.mayBeWhole, let last = self.uses.indices.last else { return }
        self.mayBeWhole = false
        if isWhole { self.uses[last].place = .query(isWhole: true) }
    }

    /// Refuses a component that is `.` or `..` (RFC 3986 §3.3), percent-encoded or not.
    private mutating func endComponent() throws(Diagnostic) {
        defer { self.component = [] }
        // Some servers support parameters of a path component (§3.3), and treat `..;v=1` like `..`.
        guard let name = self.component?.prefix(while: { $0 != UInt8(ascii: ";") }), name.count <= 6 else { return }
        let text = name.text.lowercased()
        let isStep = [".", "%2e", "..", "%2e.", ".%2e", "%2e%2e"].contains(text)
        if isStep {
            throw Diagnostic(.dotSegmentInPath, at: self.componentPosition ?? TextPosition(line: 1, column: 1))
        }
    }
}
