import t from 'tap'
import { checkTimeout, parseListOptions, parseResourceVersion, wantsWatch } from '../../src/http/list-options.ts'
import { StatusError } from '../../src/http/status.ts'

function parse(query: string) {
  return parseListOptions(new URLSearchParams(query))
}

function refusal(ask: () => unknown) {
  try {
    ask()
    return undefined
  } catch (fault) {
    if (fault instanceof StatusError) return fault.status
    throw fault
  }
}

t.test('nothing asked for', async (t) => {
  t.match(parse('foo=bar'), {
    watch: false,
    resourceVersion: '',
    resourceVersionMatch: undefined,
    limit: 0,
    continue: '',
    timeoutSeconds: undefined,
    allowBookmarks: false,
    sendInitialEvents: undefined,
  })
})

t.test('watch is true for everything but 0 and false', async (t) => {
  for (const query of ['watch', 'watch=', 'watch=1', 'watch=true', 'watch=maybe', 'watch=True']) {
    t.ok(wantsWatch(new URLSearchParams(query)), query)
  }
  for (const query of ['', 'watch=0', 'watch=false', 'watch=FALSE']) {
    t.notOk(wantsWatch(new URLSearchParams(query)), query)
  }
})

t.test('numbers', async (t) => {
  t.equal(parse('limit=500').limit, 500)
  t.equal(parse('limit=-1').limit, 0)
  t.equal(parse('timeoutSeconds=0').timeoutSeconds, undefined)
  t.equal(parse('timeoutSeconds=-1&watch=1').timeoutSeconds, -1)
  t.equal(parse('resourceVersion=0').resourceVersion, '0')
  t.equal(parse('resourceVersion=007').resourceVersion, '7')
  for (const name of ['limit', 'timeoutSeconds', 'resourceVersion']) {
    for (const value of ['abc', '1.5', '1e3', '0x1', ' ', '9'.repeat(40), '9'.repeat(10_000)]) {
      const status = refusal(() => parse(`${name}=${value}`))
      t.equal(status?.code, 400, `${name}=${value.slice(0, 50)}`)
      t.match(status?.message, new RegExp(`^${name}: `))
    }
  }
  t.equal(refusal(() => parseResourceVersion(new URLSearchParams('resourceVersion=-1')))?.code, 400)
})

t.test('options that contradict each other: 422 as the API server words it', async (t) => {
  const forbidden = 'FieldValueForbidden'
  const cases: Record<string, [field: string, reason: string, message: string][]> = {
    'resourceVersionMatch=Exact': [
      [
        'resourceVersionMatch',
        forbidden,
        'Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      ],
    ],
    'resourceVersionMatch=Exact&resourceVersion=0': [
      [
        'resourceVersionMatch',
        forbidden,
        'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      ],
    ],
    'resourceVersionMatch=Exact&resourceVersion=1&continue=x': [
      ['resourceVersionMatch', forbidden, 'Forbidden: resourceVersionMatch is forbidden when continue is provided'],
    ],
    'resourceVersionMatch=Nope&resourceVersion=1': [
      [
        'resourceVersionMatch',
        'FieldValueNotSupported',
        'Unsupported value: "Nope": supported values: "Exact", "NotOlderThan", ""',
      ],
    ],
    'sendInitialEvents=true': [['sendInitialEvents', forbidden, 'Forbidden: sendInitialEvents is forbidden for list']],
    'sendInitialEvents=false': [['sendInitialEvents', forbidden, 'Forbidden: sendInitialEvents is forbidden for list']],
    'watch=1&sendInitialEvents=true': [
      [
        'resourceVersionMatch',
        forbidden,
        'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      ],
    ],
    'watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=1': [
      [
        'resourceVersionMatch',
        forbidden,
        'Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ],
    ],
    'watch=1&sendInitialEvents=1&resourceVersionMatch=Exact': [
      [
        'resourceVersionMatch',
        forbidden,
        'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      ],
      [
        'resourceVersionMatch',
        'FieldValueNotSupported',
        'Unsupported value: "Exact": supported values: "NotOlderThan"',
      ],
    ],
  }
  for (const [query, wanted] of Object.entries(cases)) {
    const status = refusal(() => parse(query))
    const causes = wanted.map(([field, reason, message]) => ({ reason, message, field }))
    const errors = causes.map(({ field, message }) => `${field}: ${message}`)
    const text = errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`
    t.match(
      status,
      {
        code: 422,
        reason: 'Invalid',
        message: `ListOptions.meta.k8s.io "" is invalid: ${text}`,
        details: { group: 'meta.k8s.io', kind: 'ListOptions', causes },
      },
      query,
    )
  }
  t.equal(refusal(() => parse('continue=x&resourceVersion=5'))?.code, 400)
  t.equal(refusal(() => parse('continue=x&resourceVersion=0'))?.code, undefined)
  t.match(parse('watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'), {
    sendInitialEvents: true,
    resourceVersionMatch: 'NotOlderThan',
  })
  t.equal(parse('resourceVersion=&resourceVersionMatch=').resourceVersionMatch, undefined)
})

t.test('timeout is a duration of Go', async (t) => {
  const ask = (text: string) => refusal(() => checkTimeout(new URLSearchParams({ timeout: text })))
  for (const good of ['', '0', '5s', '1m30s', '1.5h', '-1s', '100ms', '2us', '.5s']) t.equal(ask(good), undefined, good)
  const message = 'invalid timeout specified in the request URL - time: '
  t.match(ask('abc'), { code: 400, message: `${message}invalid duration "abc"` })
  t.match(ask('5'), { code: 400, message: `${message}missing unit in duration "5"` })
  t.match(ask('5y'), { code: 400 })
})
