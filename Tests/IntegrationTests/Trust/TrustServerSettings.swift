// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Creates the settings with which nginx is a ``TrustServer``.
struct TrustServerSettings {
    let matrix: CertificateMatrix
    let ports: [TrustServer.Entry: Int]

    /// The text of the settings; all paths are relative to the folder in which nginx starts.
    var text: String {
        """
        worker_processes 1;
        daemon off;
        master_process off;
        pid nginx.pid;
        error_log error.log notice;
        events { worker_connections 1024; }
        http {
            access_log off;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            keepalive_timeout 3600s;
            ssl_certificate \(self.matrix.chainFile(.valid));
            ssl_certificate_key \(self.matrix.keyFile(.valid));
            ssl_protocols TLSv1.2 TLSv1.3;
            ssl_client_certificate \(self.matrix.rootFile);
            \(TrustServer.Entry.allCases.map(self.server).joined(separator: "\n"))
        }
        """
    }

    private static let report = [
        "$connection", "$ssl_protocol", "$ssl_cipher", "$ssl_alpn_protocol", "$ssl_client_verify", "$ssl_client_s_dn",
        "$ssl_server_name",
    ].joined(separator: "\\n")

    private func server(_ entry: TrustServer.Entry) -> String {
        let ssl = entry == .plain ? "" : TrustServer.Entry.http2Cases.contains(entry) ? " ssl http2" : " ssl"
        return """
            server {
                listen 127.0.0.1:\(self.ports[entry] ?? 0)\(ssl);
                listen unix:\(entry.name).sock\(ssl);
                \(self.settings(of: entry))
                root .;
                location / { return 200 "\(Self.report)"; }
                location = /secret {
                    auth_basic tern;
                    auth_basic_user_file users;
                }
                location = /long { limit_rate 0; }
                location = /moved { return 302 https://127.0.0.1:$server_port/; }
            }
            """
    }

    private func settings(of entry: TrustServer.Entry) -> String {
        switch entry {
        case .row(let row):
            "ssl_certificate \(self.matrix.chainFile(row)); ssl_certificate_key \(self.matrix.keyFile(row));"
        case .http2SelfSigned: self.settings(of: .row(.selfSigned))
        case .tls12: "ssl_protocols TLSv1.2;"
        case .tls13: "ssl_protocols TLSv1.3;"
        case .mutual, .http2Mutual: "ssl_verify_client on;"
        case .mutual12: "ssl_verify_client on; ssl_protocols TLSv1.2;"
        case .optional, .http2Optional: "ssl_verify_client optional;"
        case .plain: ""
        }
    }
}
