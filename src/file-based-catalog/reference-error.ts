// The one message with which the reference program would refuse the catalog: the first fault where it stops at the first,
// a tree of all faults where it checks the whole.
import type { Problem } from './problem.ts'
import { quoted } from './quoted-text.ts'

interface Node {
  readonly text: string
  readonly children: Node[]
}

/** Undefined where it would accept. Receives problems in the order in which they were met. */
export function referenceError(problems: readonly Problem[]): string | undefined {
  const first = problems.find(({ stage }) => stage === 'read') ?? problems.find(({ stage }) => stage === 'convert')
  if (first !== undefined) return referenceLines(first).join('\n')
  const checks = problems.filter(({ stage }) => stage === 'check')
  return checks.length === 0 ? undefined : drawTree(treeOf(checks)).trimEnd()
}

export function referenceLines(problem: Problem): readonly string[] {
  return typeof problem.reference === 'string' ? [problem.reference] : problem.reference
}

function treeOf(problems: readonly Problem[]): Node {
  const root: Node = { text: 'invalid index', children: [] }
  for (const problem of problems) {
    let node = root
    for (const kind of ['package', 'channel', 'bundle'] as const) {
      const name = problem[kind]
      if (name !== undefined) node = childOf(node, `invalid ${kind} ${quoted(name)}`)
    }
    for (const text of referenceLines(problem)) node.children.push({ text, children: [] })
  }
  return root
}

function childOf(node: Node, text: string): Node {
  const before = node.children.find((child) => child.text === text)
  if (before !== undefined) return before
  const child = { text, children: [] }
  node.children.push(child)
  return child
}

function drawTree(node: Node, prefix = '', inner = ''): string {
  const own = `${prefix}${node.text}${node.children.length > 0 ? ':' : ''}\n`
  const drawn = node.children.map((child, index) => {
    const last = index === node.children.length - 1
    return drawTree(child, `${inner}${last ? '└── ' : '├── '}`, `${inner}${last ? '    ' : '│   '}`)
  })
  return own + drawn.join('')
}
