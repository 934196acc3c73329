/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/help.test.ts > TAP > operator-registry --help > must match snapshot 1`] = `
Usage: operator-registry COMMAND [flags]

Serves and checks folders of file-based catalogs, in place of opm.

Commands:
  serve          Serves a folder of file-based catalogs to OLM over gRPC.
  validate       Lists all faults of a folder of file-based catalogs.
  list packages  Lists the packages of a catalog.
  list channels  Lists the channels of a catalog with their heads.
  list bundles   Lists the bundles of a catalog, channel by channel, with their upgrade edges.
  graph          Draws the upgrade graph of a package as Mermaid text: channels, replaces, skips, skipRange, deprecations.
  diff           Tells what changed from one catalog to another: packages, channels, bundles added and removed, heads moved.

operator-registry COMMAND --help says more about each.

`

exports[`test/help.test.ts > TAP > operator-registry diff --help > must match snapshot 1`] = `
Usage: operator-registry diff [flags] OLD NEW

Tells what changed from one catalog to another: packages, channels, bundles added and removed, heads
moved.

Arguments:
  OLD
        Folder of the catalog as it was.
  NEW
        Folder of the catalog as it is.

Flags:
  -o, --output text|json
        Form of the answer. Default: text.
  -h, --help
        Print this text and end.
  --version
        Print the version and end.

`

exports[`test/help.test.ts > TAP > operator-registry graph --help > must match snapshot 1`] = `
Usage: operator-registry graph [flags] DIR PACKAGE

Draws the upgrade graph of a package as Mermaid text: channels, replaces, skips, skipRange,
deprecations.

Arguments:
  DIR
        Folder of the catalog.
  PACKAGE
        Name of the package.

Flags:
  -h, --help
        Print this text and end.
  --version
        Print the version and end.

`

exports[`test/help.test.ts > TAP > operator-registry list bundles --help > must match snapshot 1`] = `
Usage: operator-registry list bundles [flags] DIR [PACKAGE]

Lists the bundles of a catalog, channel by channel, with their upgrade edges.

Arguments:
  DIR
        Folder of the catalog.
  PACKAGE
        Only of this package.

Flags:
  -o, --output text|json
        Form of the answer. Default: text.
  -h, --help
        Print this text and end.
  --version
        Print the version and end.

`

exports[`test/help.test.ts > TAP > operator-registry list channels --help > must match snapshot 1`] = `
Usage: operator-registry list channels [flags] DIR [PACKAGE]

Lists the channels of a catalog with their heads.

Arguments:
  DIR
        Folder of the catalog.
  PACKAGE
        Only of this package.

Flags:
  -o, --output text|json
        Form of the answer. Default: text.
  -h, --help
        Print this text and end.
  --version
        Print the version and end.

`

exports[`test/help.test.ts > TAP > operator-registry list packages --help > must match snapshot 1`] = `
Usage: operator-registry list packages [flags] DIR [PACKAGE]

Lists the packages of a catalog.

Arguments:
  DIR
        Folder of the catalog.
  PACKAGE
        Only of this package.

Flags:
  -o, --output text|json
        Form of the answer. Default: text.
  -h, --help
        Print this text and end.
  --version
        Print the version and end.

`

exports[`test/help.test.ts > TAP > operator-registry serve --help > must match snapshot 1`] = `
Usage: operator-registry serve [flags] DIR

Serves a folder of file-based catalogs to OLM over gRPC.

Arguments:
  DIR
        Folder of the catalog: every file in it is read, but what .indexignore names.

Flags:
  -p, --port N
        Port to serve on; 0: any free one. Default: 50051.
  -t, --termination-log FILE
        File to which the reason of a failure is written, for whoever asks why the container ended.
        Default: /dev/termination-log.
  --debug
        Log every call.
  --pprof-addr HOST:PORT
        Address of the profiling endpoint of the Go program. Accepted, not needed: Go profiles do
        not exist here; node --cpu-prof makes one of this program. Default: localhost:6060.
  --pprof-capture-profiles
        Profile the start of the Go program. Accepted, not needed: Go profiles do not exist here;
        node --cpu-prof makes one of this program.
  -h, --help
        Print this text and end.
  --version
        Print the version and end.

Cache:
  --cache-dir DIR
        Folder in which a loaded catalog is kept for the next start; none: each start loads it anew.
  --cache-only
        Bring the cache up to date and leave without serving.
  --cache-enforce-integrity
        Refuse to start with a cache that is absent, damaged or of another catalog (default: true
        for one that is damaged or of another catalog if --cache-dir is given without --cache-only
        and --watch).

Beyond opm:
  --bind-address ADDRESS
        Address to serve on; none: all of this machine.
  --lenient
        Leave out a package with faults and serve the others; without it such a catalog is refused.
  --watch
        Follow DIR and serve what it holds as it changes; a new content with faults leaves the old
        one served.
  --metrics-address HOST:PORT
        Serve /metrics, /healthz, /livez and /readyz over HTTP here; none: not at all.

`

exports[`test/help.test.ts > TAP > operator-registry validate --help > must match snapshot 1`] = `
Usage: operator-registry validate [flags] DIR

Lists all faults of a folder of file-based catalogs. Accepts exactly what opm accepts.

Arguments:
  DIR
        Folder of the catalog.

Flags:
  -o, --output text|json|yaml|github
        Form of the answer; github: annotations of a workflow. Default: text.
  -h, --help
        Print this text and end.
  --version
        Print the version and end.

`

exports[`test/help.test.ts > TAP > package-server --help > must match snapshot 1`] = `
Usage: package-server [flags]

Serves the packages of the catalogs of a cluster as packagemanifests.packages.operators.coreos.com,
behind its API server.

Flags:
  --kubeconfig FILE
        Kubeconfig of the cluster whose CatalogSources are read; none: the service account of the
        pod.
  --interval DURATION
        How often each catalog is read again when nothing says that it changed; up to a tenth is
        added at random. Default: 5m.
  --global-namespace NAMESPACE
        Catalogs of this namespace are seen from every namespace.
  --max-message-size SIZE
        The largest message taken from a registry; a bundle above it costs its channel. Default:
        64Mi.
  --state-dir DIR
        Folder of this process alone in which the last good reading of each catalog outlives a
        restart; none: not kept.
  -h, --help
        Print this text and end.
  --version
        Print the version and end.

Serving:
  --secure-port N
        Port to serve HTTPS on; 0: any free one. Default: 5443.
  --bind-address IP
        IP address to listen on; blank, 0.0.0.0 or ::: every interface. Default: 0.0.0.0.
  --tls-cert-file FILE
        Serving certificate, PEM, intermediates after it; read again when it changes.
  --tls-private-key-file FILE
        Private key of --tls-cert-file, PEM.
  --cert-dir DIR
        Folder with apiserver.crt and apiserver.key, where no certificate file is given; read again
        when they change. Default: apiserver.local.config/certificates.
  --certificate-secret NAME
        Secret of our namespace in which the server keeps an authority and a serving certificate
        that it makes, renews and writes into its APIService by itself; none: files.
  --certificate-service NAME
        Service under whose names such a certificate is valid. Default: packageserver-service.
  --tls-min-version VersionTLS12|VersionTLS13
        The oldest version of TLS to speak. Default: VersionTLS12.
  --tls-cipher-suites A,B,…
        Cipher suites of TLS 1.2 by Go's names, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256; none:
        the modern ones.
  --shutdown-delay-duration DURATION
        How long to go on serving, unready, after being told to end, so that whoever routes requests
        here learns to stop. Default: 3s.
  --metrics-address HOST:PORT
        Serve /metrics over plain HTTP here too, such as 127.0.0.1:9090; none: on the secure port
        alone, to whom the API server lets.
  --tls-curve-preferences A,B,…
        Key exchanges by number. Accepted, not needed: Node offers what OpenSSL holds for safe.
  --tls-sni-cert-key CERT,KEY[:NAMES]
        More certificates by the name that a client asks for. Accepted, not needed: the API server
        asks for one name.
  --disable-http2-serving
        No HTTP/2. Accepted, not needed: the server speaks HTTP/1.1 only, one connection per request
        in flight, as the aggregator uses it.
  --http2-max-streams-per-connection N
        Streams of one HTTP/2 connection. Accepted, not needed: the server speaks HTTP/1.1 only, one
        connection per request in flight, as the aggregator uses it. Default: 0.
  --permit-port-sharing
        Let several processes listen on the port. Accepted, not needed: replicas are pods with
        addresses of their own.
  --permit-address-sharing
        Do not wait for old connections of the port. Accepted, not needed: Node always listens so.

Authentication:
  --authentication-kubeconfig FILE
        Kubeconfig of the API server that reviews tokens; none: the one that holds the
        CatalogSources.
  --authentication-token-webhook-cache-ttl DURATION
        How long the review of a token counts. Default: 10s.
  --authentication-skip-lookup
        Do not read kube-system/extension-apiserver-authentication: the files of these flags alone
        say whom to believe.
  --authentication-tolerate-lookup-failure
        Do not end where that object cannot be read. Accepted, not needed: it is tried again until
        it can, unready meanwhile.
  --anonymous-auth
        Requests without credentials run as system:anonymous; otherwise they are 401. Default: true.
  --api-audiences A,B,…
        Audiences of which a bearer token must be for one; none: the API server's own.
  --client-ca-file FILE
        Authorities whose client certificates are users: common name and organizations.
  --requestheader-client-ca-file FILE
        Authorities whose client certificates are front proxies, believed about the headers below.
  --requestheader-allowed-names A,B,…
        Common names of front proxies; none: every name that the authority signed.
  --requestheader-username-headers A,B,…
        Headers that hold the user's name. Default: x-remote-user.
  --requestheader-group-headers A,B,…
        Headers that hold the user's groups. Default: x-remote-group.
  --requestheader-extra-headers-prefix A,B,…
        How headers begin that hold more about the user. Default: x-remote-extra-.
  --requestheader-uid-headers A,B,…
        Headers that hold the user's uid.

Authorization:
  --audit-log FILE
        Append one JSON line for each request: who, what, which answer; -: to standard output; none:
        no such log.
  --authorization-kubeconfig FILE
        Kubeconfig of the API server that reviews access; none: the one that holds the
        CatalogSources.
  --authorization-always-allow-paths A,B,…
        Paths open to all. Default: /healthz,/readyz,/livez.
  --authorization-webhook-cache-authorized-ttl DURATION
        How long a permission counts. Default: 10s.
  --authorization-webhook-cache-unauthorized-ttl DURATION
        How long a refusal counts. Default: 10s.

Bounds:
  --max-header-size SIZE
        The largest request line and headers; above it 431. Users in many groups have large ones.
        Default: 1Mi.
  --max-url-size SIZE
        The longest path and query; above it 414. Default: 32Ki.
  --max-connections N
        Connections in all, more than watches: each watch of the aggregator is one. When all places
        are taken those that are no front proxy give way. Default: 12000.
  --max-requests-inflight N
        Answers being made or sent at once, watches, health and discovery aside; above it 429.
        Default: 400.
  --max-watches N
        Watches in all; above it 429. Default: 10000.
  --max-watches-per-user N
        Watches of one user; above it 429. Default: 2500.
  --header-timeout DURATION
        The headers of a request must have come by then. Default: 30s.
  --watch-access-interval DURATION
        How often it is asked again whether the caller of a running watch may still watch. Default:
        1m.

Logging:
  --debug
        Log what each room does; the same as -v=4.
  -v N
        Detail of the log: 0 to 3 changes of state, 4 and more what each room does, 6 and more
        everything. Default: 0.
  --log-format text|json
        One line for people, or one JSON object, per entry. The log goes to standard error. Default:
        text.

Taken for the sake of command lines written for the Go package-server:
  --logtostderr
        Log to standard error. Accepted, not needed: the log goes to standard error alone. Default:
        true.
  --alsologtostderr
        Log to standard error and files. Accepted, not needed: the log goes to standard error alone.
  --alsologtostderrthreshold TEXT
        Severity from which on to do so. Accepted, not needed: the log goes to standard error alone.
  --stderrthreshold TEXT
        Severity from which on to log to standard error. Accepted, not needed: the log goes to
        standard error alone. Default: INFO.
  --legacy_stderr_threshold_behavior
        Ignore --stderrthreshold. Accepted, not needed: the log goes to standard error alone.
  --log_dir TEXT
        Folder of log files. Accepted, not needed: the log goes to standard error alone.
  --log_file TEXT
        Log file. Accepted, not needed: the log goes to standard error alone.
  --log_file_max_size N
        Largest log file in megabytes. Accepted, not needed: the log goes to standard error alone.
        Default: 1800.
  --one_output
        Each line to the file of its severity alone. Accepted, not needed: the log goes to standard
        error alone.
  --skip_log_headers
        No head in log files. Accepted, not needed: the log goes to standard error alone.
  --skip_headers
        No head before a line. Accepted, not needed: every line of the log has the same form: see
        --log-format.
  --add_dir_header
        Folder before a line. Accepted, not needed: every line of the log has the same form: see
        --log-format.
  --vmodule TEXT
        Detail by source file. Accepted, not needed: one level holds for all of the log: see -v.
  --log_backtrace_at TEXT
        Where to log a stack. Accepted, not needed: errors carry theirs at -v=6.
  --profiling
        Serve /debug/pprof. Accepted, not needed: Node's own --cpu-prof and --inspect do this.
        Default: true.
  --contention-profiling
        Profile locks. Accepted, not needed: one thread serves: there are no locks.
  --debug-socket-path TEXT
        Socket for profiles. Accepted, not needed: Node's own --cpu-prof and --inspect do this.
  --enable-priority-and-fairness
        Queue requests by priority. Accepted, not needed: the bounds on requests in flight keep
        places for health and discovery. Default: true.

`

exports[`test/help.test.ts > TAP > standalone --help > must match snapshot 1`] = `
Usage: npm start -- [flags]

Serves the packages of catalogs to kubectl without a cluster: an operator registry and a
package-server in one process.

Flags:
  --catalogs DIR
        Each sub-folder is one file-based catalog, served and given a CatalogSource in the global
        namespace; watched. None: the catalogs that come with this project.
  --catalog-sources DIR
        YAML or JSON files of CatalogSource objects (or Lists of them), each read from the registry
        at its address; watched.
  --data-dir DIR
        Where the certificates and the kubeconfig are kept. Default: .olm.
  --interval DURATION
        How often each catalog is read again when nothing says that it changed; up to a tenth is
        added at random. Default: 5m.
  --global-namespace NAMESPACE
        Catalogs of this namespace are seen from every namespace. Default: olm.
  --max-message-size SIZE
        The largest message taken from a registry; a bundle above it costs its channel. Default:
        64Mi.
  -h, --help
        Print this text and end.
  --version
        Print the version and end.

Serving:
  --secure-port N
        Port to serve HTTPS on; 0: any free one. Default: 5443.
  --bind-address IP
        IP address to listen on; blank, 0.0.0.0 or ::: every interface. Default: 127.0.0.1.

Logging:
  --debug
        Log what each room does; the same as -v=4.
  -v N
        Detail of the log: 0 to 3 changes of state, 4 and more what each room does, 6 and more
        everything. Default: 0.
  --log-format text|json
        One line for people, or one JSON object, per entry. The log goes to standard error. Default:
        text.

`
