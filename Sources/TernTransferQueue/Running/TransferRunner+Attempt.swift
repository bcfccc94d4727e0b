// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTransfers
import TernTransport

extension TransferRunner {
    func attempt(_ id: TransferID) async -> AttemptResult {
        guard let (transfer, isUnconfirmed) = self.state.use({ book in book.beginning(of: id) }) else {
            return .interrupted
        }
        // The file is in its place, or the server has accepted it. Only the queue does not know it on the disk.
        if isUnconfirmed { return await self.confirmLater(id) }
        let proposed = transfer.description.request
        let request: Request
        let delegate: (any TaskDelegate)?
        do {
            request = try await self.delegate?.transfer(transfer, willStartWith: proposed) ?? proposed
            delegate = await self.delegate?.taskDelegate(for: transfer)
        } catch {
            return self.refusal(error)
        }
        guard !Task.isCancelled else { return .interrupted }
        switch transfer.description.kind {
        case .download(let checksum):
            return await self.download(request, transfer, expecting: checksum, delegate)
        case .upload(let options): return await self.upload(request, transfer, options, delegate)
        }
    }

    private func refusal(_ error: any Error) -> AttemptResult {
        if Task.isCancelled { return .interrupted }
        if let error = error as? ClientError { return AttemptResult(error, now: self.clock.date) }
        // The text of an error of the application may contain a secret, so only its type appears.
        let message = "the delegate threw \(type(of: error))"
        return AttemptResult(.passing(retryAfter: nil, isAnswered: false), TransferFailure(.delegate, message))
    }

    // MARK: Downloads

    private func download(
        _ request: Request,
        _ transfer: QueuedTransfer,
        expecting checksum: Checksum?,
        _ delegate: (any TaskDelegate)?
    ) async -> AttemptResult {
        do throws(ClientError) {
            _ = try await self.client.download(
                for: request,
                to: transfer.description.file,
                resuming: .manual,  // the queue decides about the next attempt
                expecting: checksum,
                delegate: delegate,
                hooks: self.hooks(for: transfer.id)
            )
            return .completed
        } catch {
            return self.result(of: error, transfer.id) ?? AttemptResult(error, now: self.clock.date)
        }
    }

    private func result(of error: ClientError, _ id: TransferID) -> AttemptResult? {
        switch self.state.use({ book in book.confirmation(of: id) }) {
        // For example, the connection broke in the body of the answer to an upload that is complete.
        case .stored: .completed
        case .notStored: .notStored(error)
        case .none: Task.isCancelled && error.isCancellation ? .interrupted : nil
        }
    }

    // MARK: Uploads

    private func upload(
        _ request: Request,
        _ transfer: QueuedTransfer,
        _ options: TransferDescription.UploadOptions,
        _ delegate: (any TaskDelegate)?
    ) async -> AttemptResult {
        let id = transfer.id
        let isRepeatable = options.allowsRepetition(of: request)
        if !isRepeatable {
            // From here on, a process that finds no record must not send the file by itself.
            do throws(FileFailure) {
                try await self.setPossiblyProcessed(true, id)
            } catch {
                return .notStored(error)
            }
        }
        let rules = options.rules(record: self.store.uploadRecord(of: id))
        let result: AttemptResult
        do throws(ClientError) {
            let upload = try await self.client.upload(
                for: request,
                fromFile: transfer.description.file,
                resuming: rules,
                delegate: delegate,
                hooks: self.hooks(for: id)
            )
            guard let response = upload.response, !(200..<300 ~= response.statusCode) else {
                self.state.use { $0.items[id]?.answer = upload }
                return .completed
            }
            let status = response.statusCode
            result = AttemptResult(status: status, response.fields, now: self.clock.date, nil)
            if isRepeatable || AttemptResult.isUnprocessed(status, after: response.redirects.map(\.statusCode)) {
                return self.unprocessed(result, id)
            }
        } catch {
            if let result = self.result(of: error, id), result.end != .interrupted { return result }
            let isInterrupted = Task.isCancelled && error.isCancellation
            result = isInterrupted ? .interrupted : AttemptResult(error, now: self.clock.date)
            if isRepeatable || error.showsNoProcessing { return self.unprocessed(result, id) }
        }
        // If the server has named the upload, it says how many bytes it has. So nothing is sent twice.
        if await self.store.perform({ [store = self.store] in store.hasUploadRecord(of: id) }) { return result }
        return .possiblyProcessed(result)
    }

    private func unprocessed(_ result: AttemptResult, _ id: TransferID) -> AttemptResult {
        self.state.use { $0.items[id]?.mayBeProcessed = false }
        return result
    }
}

extension TransferDescription {
    var request: Request { Request(self.method, self.url, fields: self.fields) }
}

extension TransferDescription.UploadOptions {
    func rules(record: URL) -> UploadResumption {
        UploadResumption(
            uploadProtocol: self.uploadProtocol,
            policy: .manual,  // the queue decides about the next attempt
            record: record,
            maximumPartByteCount: self.maximumPartByteCount,
            restartsChangedFile: self.restartsChangedFile,
            isRepeatable: self.isRepeatable,  // whether the file may be processed twice, not only a creation
            digest: self.digest,
            tus: self.tus
        )
    }

    /// Whether the queue may send the whole request again although the server may have received it: by default, a creation with tus
    /// has no content, so a second one only leaves an empty upload behind, which the server deletes after a while.
    fileprivate func allowsRepetition(of request: Request) -> Bool {
        if let isRepeatable = self.isRepeatable { return isRepeatable }
        return request.isRepeatable || self.uploadProtocol == .tus && !self.tus.createsWithContent
    }
}
