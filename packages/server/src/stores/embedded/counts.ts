/** What has come in since the start, for `/metrics`. */
export class Counts {
  points: Record<string, number> = {}
  dropped: Record<string, number> = { malformed: 0, outside_retention: 0, no_value: 0 }
  requests: Record<string, number> = {}
  connections = 0

  add(to: Record<string, number>, name: string, by = 1) {
    to[name] = (to[name] ?? 0) + by
  }

  all = () => ({
    points: { ...this.points },
    dropped: { ...this.dropped },
    requests: { ...this.requests },
    connections: this.connections,
  })
}
export type Metrics = ReturnType<Counts['all']> & { bytes: number }
