// Single calls that end by their deadline while the registry answers others. One such call discards its reading; one that is
// late in three readings in a row costs only its channel. Pure but for its count.

/** Readings in a row after which a late call no longer discards them. */
const PATIENCE = 3
/** More late calls than this in one reading: not a bundle is slow, the registry is. */
const MOST_LATE = 7

export interface LateCalls {
  begin(): void
  /** True where so many calls are late that the reading is to end. */
  add(call: string): boolean
  /** To be asked once, when all other calls of the reading have been answered. */
  end(): { readonly discard: boolean }
}

/** One per catalog, for all its readings. */
export function createLateCalls(): LateCalls {
  let rows = new Map<string, number>()
  let late = new Set<string>()
  return {
    begin() {
      late = new Set()
    },
    add(call) {
      late.add(call)
      return late.size > MOST_LATE
    },
    end() {
      rows = new Map([...late].map((call) => [call, (rows.get(call) ?? 0) + 1]))
      return { discard: [...rows.values()].some((row) => row < PATIENCE) }
    },
  }
}
