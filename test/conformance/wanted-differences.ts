// Where our answers differ from the reference server's, and why. Each entry says what is answered instead; an entry that
// no longer differs fails the suite. Numbers of sections are those of the rule book (reference/packagemanifest.md).

export interface WantedDifference {
  readonly reason: string
  /** Where it differs from the recorded one. */
  readonly status?: number
  readonly contentType?: string
  /** A part of the JSON that is answered instead; where absent, the body is not compared. */
  readonly json?: unknown
  /** The answer is a stream that is cut after its first bytes. */
  readonly stream?: true
}

const NOT_FOUND = {
  status: 404,
  contentType: 'application/json',
  json: { kind: 'Status', reason: 'NotFound', message: 'the server could not find the requested resource', code: 404 },
}

const everyRefusalIsAStatus: WantedDifference = {
  reason: 'every answer that is not 2xx is a Status, unknown paths included',
  ...NOT_FOUND,
}

const protobuf = (of: string): WantedDifference => ({
  reason: `protobuf is not served (section 5): ${of} in protobuf alone is 406 with a Status in JSON`,
  status: 406,
  contentType: 'application/json',
  json: { kind: 'Status', reason: 'NotAcceptable', code: 406 },
})

const watchable: WantedDifference = {
  reason: 'watch is served, and said so in discovery; a second resource tells the state of catalogs',
  json: undefined,
}

const watched: WantedDifference = {
  reason: 'watch is served (section 5: the reference server has none)',
  status: 200,
  contentType: 'application/json',
  stream: true,
}

const ownText = (what: string): WantedDifference => ({ reason: `${what} of its own`, json: undefined })

const headWorks: WantedDifference = { reason: 'HEAD works where GET does', status: 200 }

export const WANTED_DIFFERENCES: Readonly<Record<string, WantedDifference>> = {
  'discovery-root': ownText('a list of paths'),
  'discovery-unknown-path': everyRefusalIsAStatus,
  'health-healthz-nope-admin': everyRefusalIsAStatus,
  'health-flagz-admin': everyRefusalIsAStatus,
  'health-configz-admin': everyRefusalIsAStatus,
  'health-logs-admin': everyRefusalIsAStatus,
  'icon-nothere': {
    reason: 'every answer that is not 2xx is a Status',
    contentType: 'application/json',
    json: { kind: 'Status', reason: 'NotFound', details: { name: 'nothere' }, code: 404 },
  },
  'discovery-api': {
    reason: '/api is served, empty, so that clients of discovery see no error',
    status: 200,
    json: { kind: 'APIVersions', versions: [] },
  },
  'discovery-api-aggregated': {
    reason: '/api is served, empty, in the aggregated form too',
    status: 200,
    contentType: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    json: { kind: 'APIGroupDiscoveryList', items: [] },
  },
  'discovery-apis-aggregated-v2beta1': {
    reason: 'aggregated discovery is served as v2beta1 too, for older clients',
    status: 200,
    contentType: 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
    json: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2beta1' },
  },
  'discovery-apis-aggregated-kubectl-accept': watchable,
  'discovery-apis-aggregated-v2-only': watchable,
  'discovery-group-version': watchable,
  'discovery-group-version-slash': watchable,
  'discovery-group-version-yaml': watchable,
  'discovery-group-version-no-accept': watchable,
  'discovery-group-version-aggregated-accept': watchable,
  'auth-frontproxy-cert-admin': watchable,
  'auth-viewer-discovery': watchable,
  'discovery-apis-aggregated-v2-protobuf': protobuf('discovery'),
  'discovery-apis-protobuf': protobuf('discovery'),
  'discovery-group-version-protobuf': protobuf('discovery'),
  version: ownText('a version'),
  'openapi-v2-protobuf': {
    reason: 'OpenAPI is served as JSON alone; the API server asks for that, and answers protobuf from it itself',
    status: 406,
    contentType: 'application/json',
  },
  'openapi-v3-group-version-protobuf': {
    reason: 'OpenAPI is served as JSON alone; the API server asks for that, and answers protobuf from it itself',
    status: 406,
    contentType: 'application/json',
  },
  'openapi-v3-index': ownText('a schema, and so hashes'),
  'openapi-v3-index-star': ownText('a schema, and so hashes'),
  'openapi-v3-version': ownText('a document'),
  'openapi-v3-unknown': { reason: 'a document that is not there is 404, not an empty 200', ...NOT_FOUND },
  'openapi-v3-wrong-hash': { reason: 'a redirection has no body and no type', contentType: '' },
  'list-limit-2': {
    reason: 'paging is served (section 5: the reference server has none)',
    json: { kind: 'PackageManifestList', metadata: { remainingItemCount: 5 } },
  },
  'list-limit-2-continue-bogus': {
    reason: 'paging is served: a token that is none is refused',
    status: 400,
    json: { kind: 'Status', reason: 'BadRequest', message: /continue/, code: 400 },
  },
  'list-limit-bad': {
    reason: 'a bad value is refused with the name of its parameter',
    json: { reason: 'BadRequest', message: 'limit: strconv.ParseInt: parsing "abc": invalid syntax' },
  },
  'list-rv-bad': {
    reason: 'resourceVersion is served: what is no number is refused with the name of its parameter',
    status: 400,
    json: { reason: 'BadRequest', message: /^resourceVersion: / },
  },
  'list-rv-exact': {
    reason: 'resourceVersion is served: a version that is gone is 410',
    status: 410,
    json: { kind: 'Status', reason: 'Expired', code: 410 },
  },
  'get-rv': {
    reason:
      'resourceVersion is served: one that this process cannot vouch for is 504, never an answer that may be older',
    status: 504,
    json: {
      kind: 'Status',
      reason: 'Timeout',
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
      code: 504,
    },
  },
  'list-field-name-not': {
    reason: 'the field selector knows != (section 5: 500 from the reference server)',
    status: 200,
    json: { kind: 'PackageManifestList' },
  },
  'list-field-namespace': {
    reason: 'the field selector knows metadata.namespace (section 5: 500 from the reference server)',
    status: 200,
    json: { kind: 'PackageManifestList' },
  },
  'list-field-namespace-other': {
    reason: 'the field selector knows metadata.namespace (section 5: 500 from the reference server)',
    status: 200,
    json: { kind: 'PackageManifestList' },
  },
  'list-field-two-names': {
    reason:
      'all terms of a selector must hold: no package has two names (the reference server looks at the first alone)',
    json: { kind: 'PackageManifestList', items: [] },
  },
  'list-empty-partialobjectmetadatalist': {
    reason: 'an empty list is a list, never null',
    json: { kind: 'PartialObjectMetadataList', items: [] },
  },
  'list-partialobjectmetadatalist-protobuf': protobuf('a list'),
  'list-protobuf': protobuf('a list'),
  'get-protobuf': protobuf('an object'),
  'get-notfound-protobuf': protobuf('an object'),
  'list-protobuf-then-json': {
    reason: 'protobuf first and JSON second: JSON (section 5)',
    status: 200,
    contentType: 'application/json',
    json: { kind: 'PackageManifestList' },
  },
  'watch-all': watched,
  'watch-ns': watched,
  'watch-rv': watched,
  'watch-send-initial-events': watched,
  'watch-single': watched,
  'watch-table': watched,
  'icon-delta-operator': { reason: 'the neutral icon is a drawing of ours' },
  'icon-team-a-delta-operator': { reason: 'the neutral icon is a drawing of ours' },
  'icon-if-none-match-with-rv': {
    reason: 'an ETag tells the content, not the version of the package: this one is no match, so the icon is sent',
    status: 200,
    contentType: 'image/png',
  },
  'icon-if-none-match-with-rv-notfound': {
    reason: '304 on a real match alone (section 5): this package is not there',
    status: 404,
    contentType: 'application/json',
    json: { kind: 'Status', reason: 'NotFound', code: 404 },
  },
  'icon-head': { ...headWorks, contentType: 'image/png' },
  'method-head-list': headWorks,
  'method-head-get': headWorks,
  'health-healthz-verbose-admin': ownText('checks'),
  'health-healthz-verbose-anonymous': ownText('checks'),
  'health-livez-verbose-admin': ownText('checks'),
  'health-livez-verbose-anonymous': ownText('checks'),
  'health-readyz-verbose-admin': ownText('checks'),
  'health-readyz-verbose-anonymous': ownText('checks'),
  'health-readyz-exclude-ping-verbose-admin': ownText('checks'),
  'health-readyz-exclude-ping-verbose-anonymous': ownText('checks'),
  'health-readyz-informer-sync-admin': {
    reason: 'no check of that name: ours are named after our rooms',
    ...NOT_FOUND,
  },
  'health-statusz-admin': { reason: "a debugging page of the reference server's framework", ...NOT_FOUND },
  'health-debug-pprof-admin': { reason: "a debugging page of the reference server's framework", ...NOT_FOUND },
  'health-metrics-slis-admin': { reason: "metrics of the reference server's framework", ...NOT_FOUND },
}

/** Exchanges that are no question to this suite. */
export const NOT_REPLAYED: Readonly<Record<string, string>> = {
  'health-metrics-admin': 'metrics have names of their own, and are no part of this API',
  'http2-note': 'a note about the reference server speaking HTTP/2',
}
