// SPDX-License-Identifier: Apache-2.0

/// The words between two `--next`: options, and the transfers that they are for.
struct OperationArguments: Equatable, Sendable {
    struct Line: Equatable, Sendable {
        /// The file, a colon, and the number of the line.
        let place: String
        let words: [String]
    }

    private enum Piece: Equatable, Sendable {
        case words([String])
        case url(Int)
        case output(Int)
        case upload(Int)
    }

    private(set) var transfers: [TransferArgument] = []
    /// Whether `--remote-name-all` names files after the URLs that follow, unless the user types another place.
    var namesFilesAfterURLs = false
    private(set) var lines: [Line] = []
    private(set) var urlCount = 0

    private var outputCount = 0
    private var uploadCount = 0
    private var pieces: [Piece] = []

    var unusedFileCount: Int { self.transfers.count - self.urlCount }

    mutating func add(_ words: [String], from place: String? = nil) {
        guard !words.isEmpty else { return }
        self.pieces.append(.words(words))
        if let place { self.lines.append(Line(place: place, words: words)) }
    }

    mutating func add(url: String) {
        self.grow(to: self.urlCount)
        self.transfers[self.urlCount].url = url
        self.pieces.append(.url(self.urlCount))
        self.urlCount += 1
    }

    mutating func add(output: TransferArgument.Output) {
        self.grow(to: self.outputCount)
        self.transfers[self.outputCount].output = output
        self.pieces.append(.output(self.outputCount))
        self.outputCount += 1
    }

    mutating func add(uploadFile: String) {
        self.grow(to: self.uploadCount)
        self.transfers[self.uploadCount].uploadFile = uploadFile
        self.pieces.append(.upload(self.uploadCount))
        self.uploadCount += 1
    }

    private mutating func grow(to index: Int) {
        guard index == self.transfers.count else { return }
        self.transfers.append(TransferArgument(output: self.namesFilesAfterURLs ? .remoteName : nil))
    }

    mutating func remove(flag name: String) {
        for (index, piece) in self.pieces.enumerated() {
            guard case .words(let words) = piece else { continue }
            self.pieces[index] = .words(words.filter { $0 != "--\(name)" })
        }
    }

    /// Returns the words that make one transfer, with more options after the typed ones.
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
