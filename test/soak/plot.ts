// Lines over time as an SVG, one panel below the other. Receives series, hands on text. Pure.

export interface Panel {
  readonly title: string
  readonly unit: string
  /** Seconds and value. */
  readonly points: readonly (readonly [number, number])[]
}

const WIDTH = 900
const HEIGHT = 160
const LEFT = 70
const TOP = 30

export function plot(panels: readonly Panel[]): string {
  const height = panels.length * (HEIGHT + TOP + 20)
  const drawn = panels.map((panel, index) => drawPanel(panel, index * (HEIGHT + TOP + 20)))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">
<title>The soak, over time</title>
<rect width="100%" height="100%" fill="white"/>
${drawn.join('\n')}
</svg>
`
}

function drawPanel({ title, unit, points }: Panel, offset: number): string {
  const seconds = Math.max(1, ...points.map(([at]) => at))
  const most = Math.max(1e-9, ...points.map(([, value]) => value)) * 1.1
  const x = (at: number) => LEFT + (at / seconds) * (WIDTH - LEFT - 20)
  const y = (value: number) => offset + TOP + HEIGHT - (value / most) * HEIGHT
  const line = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const base = offset + TOP + HEIGHT
  return `<text x="${LEFT}" y="${offset + 20}" font-weight="bold">${title} (${unit})</text>
<path d="M${LEFT} ${offset + TOP}V${base}H${WIDTH - 20}" fill="none" stroke="#999"/>
<text x="${LEFT - 6}" y="${base}" text-anchor="end">0</text>
<text x="${LEFT - 6}" y="${offset + TOP + 10}" text-anchor="end">${most.toPrecision(3)}</text>
<text x="${WIDTH - 20}" y="${base + 15}" text-anchor="end">${Math.round(seconds)} s</text>
<polyline fill="none" stroke="#1f5fbf" points="${line}"/>`
}
