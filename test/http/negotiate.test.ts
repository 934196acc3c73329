import t from 'tap'
import { acceptsGzip, parseAccept } from '../../src/http/accept-header.ts'
import {
  type NegotiationFacts,
  negotiate,
  negotiateDocument,
  negotiateStatus,
  type Question,
} from '../../src/http/negotiate.ts'
import { StatusError } from '../../src/http/status.ts'

function facts(accept: string, query = '', userAgent = 'test'): NegotiationFacts {
  return { accept, userAgent, query: new URLSearchParams(query) }
}

function ask(accept: string, question: Question = 'list', query = '') {
  try {
    return negotiate(facts(accept, query), question, 'PackageManifest')
  } catch (fault) {
    if (fault instanceof StatusError) return { code: fault.status.code, message: fault.status.message }
    throw fault
  }
}

const object = { form: { as: 'object' } }
const table = (version: string) => ({ form: { as: 'table', version, includeObject: 'Metadata' }, style: 'json' })
const asTable = (version: string) => `application/json;as=Table;v=${version};g=meta.k8s.io`

t.test('the first acceptable clause wins, by quality', async (t) => {
  t.match(ask(''), { ...object, style: 'json' })
  t.match(ask('*/*'), { ...object, style: 'json' })
  t.match(ask('application/yaml'), { ...object, style: 'yaml' })
  t.match(ask('application/yaml;q=0.5,application/json;q=0.9'), { ...object, style: 'json' })
  t.match(ask('*/*;q=0.1, application/yaml;q=0.2'), { ...object, style: 'yaml' })
  t.match(ask('*/*, application/yaml'), { ...object, style: 'yaml' }, 'concrete types before wildcards')
  t.match(ask('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'), { ...object, style: 'json' })
  t.match(ask('APPLICATION/JSON'), { ...object, style: 'json' })
  t.match(ask(`${asTable('v1')},${asTable('v1beta1')},application/json`), table('v1'))
  t.match(ask(`${asTable('v2')},${asTable('v1beta1')},application/json`), table('v1beta1'))
  t.match(ask('application/json;as=Unknown;v=v1;g=meta.k8s.io,application/json'), { ...object, style: 'json' })
  t.match(ask('application/vnd.kubernetes.protobuf,application/json'), { ...object, style: 'json' })
  t.match(ask('application/cbor,application/json;q=0.5'), { ...object, style: 'json' })
  t.match(ask('application/json;q=0,application/yaml'), { ...object, style: 'yaml' }, 'quality 0 is a refusal')
})

t.test('forms that do not fit the question', async (t) => {
  const partial = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io`
  t.match(ask(partial('PartialObjectMetadataList'), 'list'), { form: { as: 'metadata', version: 'v1' } })
  t.match(ask(partial('PartialObjectMetadata'), 'object'), { form: { as: 'metadata', version: 'v1' } })
  t.match(ask(partial('PartialObjectMetadata'), 'watch'), { form: { as: 'metadata' } })
  t.match(ask(partial('PartialObjectMetadataList'), 'watch'), { form: { as: 'metadata' } })
  t.match(ask(partial('PartialObjectMetadata'), 'list'), { code: 406, message: /requested object is a list/ })
  t.match(ask(partial('PartialObjectMetadataList'), 'object'), { code: 406, message: /requested object is not a list/ })
})

t.test('nothing acceptable', async (t) => {
  const refused = { code: 406 }
  for (const accept of ['text/html', 'application/cbor', 'application/*', 'application/vnd.kubernetes.protobuf']) {
    t.match(ask(accept), refused, accept)
  }
  t.match(ask('application/yaml', 'watch'), { code: 406, message: /stream=watch/ })
  t.match(ask('application/json;stream=watch', 'watch'), object)
  t.match(ask('application/vnd.kubernetes.protobuf;stream=watch', 'watch'), refused)
})

t.test('includeObject counts for tables alone', async (t) => {
  t.match(ask(asTable('v1'), 'list', 'includeObject=None'), { form: { includeObject: 'None' } })
  t.match(ask(asTable('v1'), 'list', 'includeObject='), { form: { includeObject: 'Metadata' } })
  t.match(ask(asTable('v1'), 'list', 'includeObject=Bad'), { code: 400, message: /"Bad": must be/ })
  t.match(ask('application/json', 'list', 'includeObject=Bad'), object)
})

t.test('indented for people', async (t) => {
  const style = (userAgent: string, query = '', accept = '*/*') =>
    negotiate(facts(accept, query, userAgent), 'list', 'X').style
  for (const agent of ['curl/8', 'Wget/1', 'Mozilla/5.0 (X11)']) {
    t.equal(style(agent), 'indented-json', agent)
    t.equal(style(agent, 'pretty=false'), 'json')
    t.equal(style(agent, 'pretty=zzz'), 'json')
    t.equal(style(agent, 'pretty='), 'indented-json')
  }
  t.equal(style('kubectl/1.32'), 'json')
  t.equal(style('kubectl/1.32', 'pretty=true'), 'indented-json')
  t.equal(style('kubectl/1.32', 'pretty=1'), 'indented-json')
  t.equal(style('kubectl/1.32', '', 'application/json;pretty=1'), 'indented-json')
  t.equal(style('curl/8', '', 'application/yaml'), 'yaml')
})

t.test('documents', async (t) => {
  const discovery = (version: string, media = 'application/json') =>
    `${media};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
  const both = ['v2', 'v2beta1'] as const
  t.match(negotiateDocument(facts(discovery('v2')), both), { version: 'v2' })
  t.match(negotiateDocument(facts(`${discovery('v3')},${discovery('v2beta1')}`), both), { version: 'v2beta1' })
  t.match(negotiateDocument(facts(`${discovery('v3')},application/json`), both), { version: undefined, style: 'json' })
  t.match(negotiateDocument(facts(discovery('v2')), []), { version: undefined, style: 'json' })
  t.throws(() => negotiateDocument(facts(discovery('v3')), both), { message: /only the following media types/ })
  t.throws(() => negotiateDocument(facts(discovery('v2', 'application/vnd.kubernetes.protobuf')), both))
  t.equal(negotiateStatus(facts('text/html')), 'json')
  t.equal(negotiateStatus(facts('application/yaml')), 'yaml')
})

t.test('hostile headers', async (t) => {
  for (const header of [
    ',',
    ';',
    '/',
    'a/',
    '/b',
    'a/b/c',
    ';q=1',
    'a/b;q=x',
    '\u00ff',
    ';'.repeat(9999),
    ','.repeat(9999),
  ]) {
    t.same(
      parseAccept(header).filter((one) => one.type === 'application'),
      [],
      header.slice(0, 20),
    )
  }
  t.equal(parseAccept('application/json;q=7')[0]?.quality, 1)
})

t.test('gzip', async (t) => {
  for (const header of ['gzip', 'gzip, deflate, br', 'deflate, GZIP;q=0.5', '*', 'identity;q=0.1,*;q=0.5', 'x-gzip']) {
    t.ok(acceptsGzip(header), header)
  }
  for (const header of ['', 'identity', 'deflate', 'gzip;q=0', 'gzip; q=0.0', '*;q=0', 'gzip;q=0,*']) {
    t.notOk(acceptsGzip(header), header)
  }
})
