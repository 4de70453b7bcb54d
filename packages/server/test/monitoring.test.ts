import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from './app.ts'

/** The example dashboard and alert rules use metrics and labels that exist. */

const read = (file: string) =>
  readFileSync(new URL(`../../../docs/monitoring/${file}`, import.meta.url), 'utf8')

type Dashboard = {
  panels: {
    id: number
    title: string
    gridPos: { x: number; y: number; w: number; h: number }
    targets: { expr: string }[]
  }[]
  templating: { list: { query: string }[] }
}
const dashboard = JSON.parse(read('grafana.json')) as Dashboard
const rules = [...read('alerts.yml').matchAll(/^ {6}- alert: (\w+)\n {8}expr: '(.*)'$/gm)].map(
  ([, name, expr]) => ({ name: name!, expr: expr!.replaceAll("''", "'") }),
)

/** Words of PromQL and the labels that Prometheus adds. */
const LANGUAGE =
  /^(?:sum|rate|increase|histogram_quantile|topk|by|time|abs|predict_linear|label_values|le|instance|job)$/

let t: TestApp
let metrics: Map<string, Set<string>>
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  await t.ctx.health.check()
  metrics = new Map([['up', new Set()]])
  const { body } = await t.app.inject('/metrics')
  for (const [, name, type] of body.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const suffix of type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''])
      metrics.set(`${name}${suffix}`, new Set())
})
afterAll(() => t.close())

/** The metrics of an expression: words that are neither the language's nor labels. */
const metricsIn = (expr: string) =>
  [
    ...expr
      .replace(/"[^"]*"/g, '')
      .replace(/\{[^}]*\}/g, '')
      .replace(/\bby \([^)]*\)/g, '')
      .replace(/\[\w+\]/g, '')
      .matchAll(/[a-z_]\w*/gi),
  ]
    .map(([word]) => word)
    .filter((word) => !LANGUAGE.test(word))

it('has a dashboard whose panels show metrics that exist, side by side', () => {
  expect(dashboard.panels.length).toBeGreaterThan(15)
  const exprs = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const used = [...exprs, ...dashboard.templating.list.map(({ query }) => query)].flatMap((expr) =>
    expr === 'prometheus' ? [] : metricsIn(expr),
  )
  expect(used.filter((name) => !metrics.has(name))).toEqual([])
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
})

it('has alert rules about metrics that exist', () => {
  expect(rules.length).toBeGreaterThan(10)
  expect(rules).toHaveLength(read('alerts.yml').match(/- alert:/g)!.length)
  for (const { name, expr } of rules) {
    const used = metricsIn(expr)
    expect(used.length, name).toBeGreaterThan(0)
    expect(
      used.filter((metric) => !metrics.has(metric)),
      name,
    ).toEqual([])
  }
})

it('names its metrics by one rule, and labels none by tenant or host', async () => {
  const { body } = await t.app.inject('/metrics')
  const own = [...metrics.keys()].filter((name) => name.startsWith('switchroom_'))
  expect(own.length).toBeGreaterThan(25)
  for (const name of own)
    expect(name).toMatch(
      /^switchroom_[a-z_]+(?:_total|_bytes|_seconds|_ratio|_requests|_state|_connections|_accounts|_overdue|_draining|_rows)$|^switchroom_draining$/,
    )
  const labels = new Set([...body.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
  for (const label of ['account', 'account_sid', 'name', 'host', 'url', 'user'])
    expect(labels).not.toContain(label)
  const series = body.split('\n').filter((line) => line.startsWith('switchroom_'))
  expect(series.length).toBeLessThan(300)
})
