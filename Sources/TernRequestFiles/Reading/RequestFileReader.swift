// SPDX-License-Identifier: Apache-2.0

/// Reads a request file: splits it into blocks at `###`, reads the variables of all blocks, and then the request of each block.
///
/// A file that is sent is first read like one from which code is generated. Only a block that fails is read again with the forms
/// of other editors, so that a request never changes because of forms that it does not use.
struct RequestFileReader {
    private let purpose: RequestFile.Purpose
    private var file = RequestFile()
    private var results: [BlockResult] = []
    private var variables: VariableTable
    private var names: Set<String> = []
    private var errors: [Diagnostic] = []
    private var tolerance: Tolerance

    init(_ purpose: RequestFile.Purpose) {
        self.purpose = purpose
        self.variables = VariableTable(isLenient: purpose == .sending)
        self.tolerance = Tolerance(isLenient: purpose == .sending)
    }

    mutating func read(_ bytes: [UInt8]) throws(RequestFileFailure) -> RequestFile {
        do throws(Diagnostic) {
            let lines = try FileLine.lines(of: bytes)
            if self.purpose == .generating, let flaw = lines.lazy.compactMap(\.flaw).first { throw flaw }
            self.read(Block.blocks(of: lines))
        } catch {
            throw RequestFileFailure(diagnostics: [error])
        }
        self.bind()
        return try self.finish()
    }

    private mutating func read(_ blocks: [Block]) {
        for block in blocks { self.add(block.variables) }
        if self.purpose == .sending { _ = self.variables.settle() }
        let strict = self.strictResults(of: blocks)
        guard self.purpose == .sending else {
            for result in strict { self.append(result) }
            return self.variables.finish(&self.file)
        }
        let parts = zip(blocks, strict).map { block, result in
            result.isFailure && block.flaw == nil ? LenientBlockReader(block) : nil
        }
        // The requests that a strict reader refuses may have variables inside.
        for (block, part) in zip(blocks, parts) {
            let known = Set(block.variables.map(\.number))
            for inner in part?.blocks ?? [] { self.add(inner.variables.filter { !known.contains($0.number) }) }
        }
        self.errors += self.variables.settle()
        for (index, (result, part)) in zip(strict, parts).enumerated() {
            guard let part else {
                self.append(result)
                continue
            }
            for (block, tolerance) in zip(part.blocks, part.tolerances) {
                guard self.results.count < RequestFileLimits.maximumRequestCount else {
                    self.errors.append(Diagnostic(.tooMany("requests"), at: block.position))
                    break
                }
                self.append(self.result(of: block, isFirst: index == 0, tolerance))
            }
        }
        self.tolerance.take(self.variables.warnings)
        self.variables.finish(&self.file)
    }

    private mutating func add(_ variables: [FileLine]) {
        for line in variables {
            do throws(Diagnostic) { try self.variables.add(line) } catch { self.errors.append(error) }
        }
    }

    // MARK: Blocks

    private mutating func strictResults(of blocks: [Block]) -> [BlockResult] {
        var results: [BlockResult] = []
        var count = 0
        for (index, block) in blocks.enumerated() {
            guard count < RequestFileLimits.maximumRequestCount else {
                self.errors.append(Diagnostic(.tooMany("requests"), at: block.position))
                break
            }
            results.append(self.result(of: block, isFirst: index == 0, Tolerance(isLenient: false)))
            if results.last?.isEmpty == false { count += 1 }
        }
        return results
    }

    private mutating func append(_ result: BlockResult) {
        guard !result.isEmpty, self.results.count < RequestFileLimits.maximumRequestCount else { return }
        self.results.append(result)
        guard case .request(var request) = result, let (name, position) = request.namePosition else { return }
        guard !self.names.insert(name).inserted else { return }
        if self.purpose == .generating {
            let error = Diagnostic(.duplicateName(name), at: position)
            self.results[self.results.count - 1] = .failure(FailedRequest(request, error))
        } else {
            request.warnings.append(Diagnostic(.duplicateName(name), at: position, isForgiven: true))
            self.results[self.results.count - 1] = .request(request)
        }
    }

    private mutating func result(of block: Block, isFirst: Bool, _ tolerance: Tolerance) -> BlockResult {
        do throws(Diagnostic) {
            if let flaw = block.flaw { throw flaw }
            return try self.request(of: block, isFirst: isFirst, tolerance).map { .request($0) } ?? .empty
        } catch {
            return .failure(Self.failure(of: block, error))
        }
    }

    private mutating func request(
        of block: Block,
        isFirst: Bool,
        _ tolerance: Tolerance
    ) throws(Diagnostic) -> RequestDefinition? {
        var preamble = Preamble(tolerance)
        for line in block.comments { try preamble.read(line) }
        if let access = preamble.access {
            guard isFirst else { throw Diagnostic(.malformedAccess, at: access.position) }
            self.file.isPublic = access.isPublic
        }
        guard let first = block.request.first else {
            if isFirst { self.file.documentation = preamble.documentation }
            if let directive = preamble.firstDirective { try self.tolerance.forgive(.noRequest, at: directive) }
            self.tolerance.take(preamble.tolerance.warnings)
            return nil
        }
        var reader = RequestReader(position: first.position, variables: self.variables, preamble.tolerance)
        reader.request.title = block.title
        try reader.read(block.request, preamble)
        for server in reader.servers { try self.variables.declareServer(server) }
        reader.request.warnings = reader.tolerance.warnings
        return reader.request
    }

    private static func failure(of block: Block, _ error: Diagnostic) -> FailedRequest {
        var preamble = Preamble(Tolerance(isLenient: true))
        // The name only makes a message clearer, so an error in a directive does not matter here.
        for line in block.comments { try? preamble.read(line) }
        return FailedRequest(
            name: preamble.name?.name,
            title: block.title,
            position: block.request.first?.position ?? error.position,
            error: error
        )
    }

    // MARK: The end

    /// Finds the parameters of each request, when all variables of the file are known.
    private mutating func bind() {
        var binder = ParameterBinder(variables: self.file.variables, isLenient: self.purpose == .sending)
        for index in self.results.indices {
            guard case .request(var request) = self.results[index] else { continue }
            do throws(Diagnostic) {
                try binder.bind(&request)
                self.results[index] = .request(request)
            } catch {
                self.results[index] = .failure(FailedRequest(request, error))
            }
        }
        self.file.variables = binder.variables
    }

    private mutating func finish() throws(RequestFileFailure) -> RequestFile {
        self.file.requests = self.results.compactMap(\.request)
        let failed = self.results.compactMap(\.failure)
        let warnings = (self.tolerance.warnings + self.file.requests.flatMap(\.warnings)).inOrder
        let errors = self.errors + failed.map(\.error)
        if self.purpose == .generating, !errors.isEmpty {
            // Choose errors before warnings, because the number of diagnostics is limited.
            let chosen = (errors.inOrder + warnings).prefix(RequestFileLimits.maximumDiagnosticCount)
            throw RequestFileFailure(diagnostics: Array(chosen).inOrder)
        }
        self.file.failedRequests = failed
        self.file.errors = Array(self.errors.inOrder.prefix(RequestFileLimits.maximumDiagnosticCount))
        self.file.warnings = Array(warnings.prefix(RequestFileLimits.maximumDiagnosticCount))
        return self.file
    }
}

private enum BlockResult {
    case empty
    case request(RequestDefinition)
    case failure(FailedRequest)

    var isEmpty: Bool {
        if case .empty = self { true } else { false }
    }

    var isFailure: Bool { self.failure != nil }

    var request: RequestDefinition? {
        if case .request(let request) = self { request } else { nil }
    }

    var failure: FailedRequest? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

extension FailedRequest {
    fileprivate init(_ request: RequestDefinition, _ error: Diagnostic) {
        self.init(name: request.name, title: request.title, position: request.position, error: error)
    }
}

extension [Diagnostic] {
    fileprivate var inOrder: [Diagnostic] { self.sorted { $0.position < $1.position } }
}
