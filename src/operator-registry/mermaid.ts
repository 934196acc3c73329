// Upgrade graphs as Mermaid text (https://mermaid.js.org, flowchart): one box per channel, an arrow from each bundle to
// what it is upgraded to. Names are shown as they are and never read as Mermaid's own words.
import type { ChannelGraph, EdgeKind, GraphNode } from '../file-based-catalog/channel-graph.ts'

const ARROWS: Readonly<Record<EdgeKind, string>> = {
  replaces: '-->',
  skips: '-. skips .->',
  skipRange: '-. skipRange .->',
}

const CLASSES = [
  '  classDef head stroke-width:3px',
  '  classDef deprecated fill:#f9d0c4,stroke:#b22222,stroke-dasharray:4',
  '  classDef missing stroke-dasharray:2,color:#777777',
]

export function drawMermaid(packageName: string, channels: readonly ChannelGraph[]): string {
  const title = `---\ntitle: ${JSON.stringify(packageName)}\n---\n`
  const boxes = channels.flatMap((channel, index) => drawChannel(channel, `c${index}`))
  return `${title}${['flowchart LR', ...boxes, ...CLASSES].join('\n')}\n`
}

function drawChannel(graph: ChannelGraph, id: string): readonly string[] {
  const ids = new Map(graph.nodes.map(({ name }, index) => [name, `${id}n${index}`]))
  const marks = [graph.isDefault ? 'default' : '', graph.deprecation === undefined ? '' : 'deprecated']
  const shown = [graph.channel, ...marks.filter((mark) => mark !== '').map((mark) => `(${mark})`)].join(' ')
  return [
    `  subgraph ${id}["${label(shown)}"]`,
    ...graph.nodes.map((node) => `    ${ids.get(node.name)}["${label(nodeText(node))}"]${classOf(node)}`),
    ...graph.edges.map(({ from, to, kind }) => `    ${ids.get(from)} ${ARROWS[kind]} ${ids.get(to)}`),
    '  end',
  ]
}

function nodeText({ name, version, deprecation }: GraphNode): string {
  const shown = version === '' || name.endsWith(version) ? name : `${name} (${version})`
  return deprecation === undefined ? shown : `${shown} deprecated`
}

function classOf({ head, deprecation, missing }: GraphNode): string {
  if (deprecation !== undefined) return ':::deprecated'
  if (missing) return ':::missing'
  return head ? ':::head' : ''
}

/** Mermaid's own escapes: `#` and the character's number. */
function label(text: string): string {
  return text.replace(/["#<>&`\p{Cc}]/gu, (character) => `#${character.codePointAt(0)};`)
}
