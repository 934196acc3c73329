// How deep a YAML text nests, seen before it is parsed: the parser's time and stack grow with it. Pure.
import { Lexer } from 'yaml'

/** No object of Kubernetes that a person writes comes near. */
const DEEPEST = 100

/**
 * The line, from 1, where brackets, or the dashes of one line, go deeper than that; undefined where none do. Depth by
 * indentation needs no bound: its text grows with the square of it.
 */
export function tooDeepAt(text: string): number | undefined {
  let line = 1
  let open = 0
  let marks = 0
  for (const token of new Lexer().lex(text)) {
    const [first] = token
    if (token === '[' || token === '{') open++
    else if (token === ']' || token === '}') open--
    else if (token === '-' || token === '?') marks++
    else if (first === '\n' || first === '\r') marks = 0
    if (open > DEEPEST || marks > DEEPEST) return line
    line += token.split('\n').length - 1
  }
  return undefined
}
