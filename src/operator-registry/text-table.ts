// Rows as a table of text: columns by the first row's names, two blanks between them. What would move the terminal is shown escaped.

type Cell = string | number | boolean

export function drawTable(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const names = Object.keys(rows[0] ?? {})
  if (names.length === 0) return ''
  const lines = [names.map(heading), ...rows.map((row) => names.map((name) => cellText(row[name] ?? '')))]
  const widths = names.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, (line[column] ?? '').length), 0),
  )
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** `defaultChannel` as `DEFAULT CHANNEL`. */
function heading(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase()
}

function cellText(cell: Cell): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return String(cell).replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1))
}
