// SPDX-License-Identifier: Apache-2.0

/// The words between two `--next`: options, and the transfers that they are for.
struct OperationArguments: Equatable, Sendable {
    /// A line of a configuration file that has added words.
    struct Line: Equatable, Sendable {
        /// The file, a colon, and the number of the line.
        let place: String
        /// The words for the parser.
        let words: [String]
    }

    /// A part of the command line, in the order in which it was typed.
    private enum Piece: Equatable, Sendable {
        /// Words for all transfers.
        case words([String])
        /// The URL of a transfer.
        case url(Int)
        /// The place for the response of a transfer.
        case output(Int)
        /// The file to send with a transfer.
        case upload(Int)
    }

    /// The transfers, in the order of their URLs.
    private(set) var transfers: [TransferArgument] = []
    /// Whether the response to each URL that follows goes to a file with the name of the URL, unless the user types
    /// another place (`--remote-name-all`).
    var namesFilesAfterURLs = false
    /// The lines of configuration files that have added options.
    private(set) var lines: [Line] = []
    /// The number of URLs.
    private(set) var urlCount = 0

    private var outputCount = 0
    private var uploadCount = 0
    private var pieces: [Piece] = []

    /// The number of files for which there is no URL.
    var unusedFileCount: Int { self.transfers.count - self.urlCount }

    /// Adds words for all transfers.
    ///
    /// - Parameters:
    ///   - words: The words.
    ///   - place: The file and the line that has them; `nil` for the command line itself.
    mutating func add(_ words: [String], from place: String? = nil) {
        guard !words.isEmpty else { return }
        self.pieces.append(.words(words))
        if let place { self.lines.append(Line(place: place, words: words)) }
    }

    /// Adds a URL.
    mutating func add(url: String) {
        self.grow(to: self.urlCount)
        self.transfers[self.urlCount].url = url
        self.pieces.append(.url(self.urlCount))
        self.urlCount += 1
    }

    /// Adds the place for a response.
    mutating func add(output: TransferArgument.Output) {
        self.grow(to: self.outputCount)
        self.transfers[self.outputCount].output = output
        self.pieces.append(.output(self.outputCount))
        self.outputCount += 1
    }

    /// Adds a file to send.
    mutating func add(uploadFile: String) {
        self.grow(to: self.uploadCount)
        self.transfers[self.uploadCount].uploadFile = uploadFile
        self.pieces.append(.upload(self.uploadCount))
        self.uploadCount += 1
    }

    /// Adds a transfer, unless there is one with this number.
    private mutating func grow(to index: Int) {
        guard index == self.transfers.count else { return }
        self.transfers.append(TransferArgument(output: self.namesFilesAfterURLs ? .remoteName : nil))
    }

    /// Removes a flag that was typed before.
    mutating func remove(flag name: String) {
        for (index, piece) in self.pieces.enumerated() {
            guard case .words(let words) = piece else { continue }
            self.pieces[index] = .words(words.filter { $0 != "--\(name)" })
        }
    }

    /// Returns the words for the parser that make one transfer.
    ///
    /// - Parameters:
    ///   - index: The number of the transfer. Defaults to 0, the first one.
    ///   - options: More options, which follow the typed ones. Defaults to none.
    /// - Returns: The words, in the order in which they were typed.
    func words(of index: Int = 0, adding options: [String] = []) -> [String] {
        let transfer = index < self.transfers.count ? self.transfers[index] : TransferArgument()
        var words: [String] = []
        var last: [String] = []
        for piece in self.pieces {
            switch piece {
            case .words(let more): words += more
            case .output(index): words += transfer.outputWords
            case .upload(index): words += transfer.uploadWords
            case .url(index):
                guard let url = transfer.url else { continue }
                if index >= self.outputCount { words += transfer.outputWords }
                if url.utf8.first == UInt8(ascii: "-"), url != "-" { last = ["--", url] } else { words.append(url) }
            case .url, .output, .upload: continue
            }
        }
        return words + options + last
    }
}
