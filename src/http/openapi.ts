// OpenAPI 2 and 3 of the served resources, made once, at the start: documents by path, and the index of the third with
// hashes (KEP-2896). A client that knows a hash may keep the document for ever; a wrong hash is sent to the right one.
import type { Exchange } from './exchange.ts'
import { negotiateDocument } from './negotiate.ts'
import { createModels, type Dialect } from './openapi-models.ts'
import { resourcePaths } from './openapi-paths.ts'
import { answerDocument, NO_CACHE } from './payload-answer.ts'
import { type ReadyDocument, readyDocument } from './ready-document.ts'
import type { ResourceDefinition } from './resource.ts'
import type { Answer } from './send.ts'

export type DocumentAnswer = (exchange: Exchange) => Promise<Answer>

export interface OpenApiFacts {
  readonly definitions: readonly ResourceDefinition[]
  readonly version: string
}

const TITLE = 'OLM package server'
const HASHED = { 'cache-control': 'public, immutable, max-age=31536000' }

/** What answers below `/openapi`, by path. */
export function openApiAnswers({ definitions, version }: OpenApiFacts): ReadonlyMap<string, DocumentAnswer> {
  const info = { title: TITLE, version }
  const answers = new Map<string, DocumentAnswer>()
  answers.set('/openapi/v2', plainAnswer(tagged(openApiV2(definitions, info))))
  const index: Record<string, { serverRelativeURL: string }> = {}
  for (const [name, document] of v3Documents(definitions, info)) {
    const path = `/openapi/v3/${name}`
    const ready = tagged(document)
    const url = `${path}?hash=${ready.etag ?? ''}`
    index[name] = { serverRelativeURL: url }
    answers.set(path, hashedAnswer(ready, url))
  }
  return answers.set('/openapi/v3', plainAnswer(tagged({ paths: index })))
}

function tagged(document: unknown): ReadyDocument {
  return readyDocument({ contentType: 'application/json', bytes: Buffer.from(JSON.stringify(document)), tagged: true })
}

function plainAnswer(document: ReadyDocument): DocumentAnswer {
  return async (exchange) => answerDocument(exchange, document, negotiateDocument(exchange.negotiation, []).style)
}

function hashedAnswer(document: ReadyDocument, url: string): DocumentAnswer {
  const answer = plainAnswer(document)
  return async (exchange) => {
    const hash = exchange.query.get('hash')
    if (hash === null) return answer(exchange)
    if (hash !== document.etag) return { status: 301, headers: { location: url, 'cache-control': NO_CACHE }, body: [] }
    const found = await answer(exchange)
    return { ...found, headers: { ...found.headers, ...HASHED } }
  }
}

interface Info {
  readonly title: string
  readonly version: string
}

export function openApiV2(definitions: readonly ResourceDefinition[], info: Info): unknown {
  const { models, paths } = described(definitions, 2)
  return { swagger: '2.0', info, paths, definitions: models }
}

/** By group version, as the index names them. */
export function v3Documents(definitions: readonly ResourceDefinition[], info: Info): Map<string, unknown> {
  const documents = new Map<string, unknown>()
  const groups = Map.groupBy(definitions, (one) => one.group)
  documents.set('apis', plainV3(info, '/apis/', 'Tell which groups there are.', 'getAPIVersions'))
  for (const [group, ofGroup] of groups) {
    documents.set(
      `apis/${group}`,
      plainV3(info, `/apis/${group}/`, 'Tell which versions the group has.', 'getAPIGroup'),
    )
    for (const [version, own] of Map.groupBy(ofGroup, (one) => one.version)) {
      const { models, paths } = described(own, 3)
      documents.set(`apis/${group}/${version}`, { openapi: '3.0.0', info, paths, components: { schemas: models } })
    }
  }
  documents.set('version', plainV3(info, '/version/', 'Tell the version of the server.', 'getCodeVersion'))
  return documents
}

function described(definitions: readonly ResourceDefinition[], dialect: Dialect) {
  const models = createModels(definitions, dialect)
  const paths = Object.assign({}, ...definitions.map((one) => resourcePaths(one, models, dialect))) as object
  return { models: models.models, paths }
}

function plainV3(info: Info, path: string, description: string, operationId: string): unknown {
  const content = { 'application/json': { schema: { type: 'object' } } }
  const get = { description, operationId, responses: { '200': { description: 'OK', content } } }
  return { openapi: '3.0.0', info, paths: { [path]: { get } } }
}
