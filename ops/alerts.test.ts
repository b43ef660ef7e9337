import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { parse, stringify } from 'yaml'
import { root, runTool } from './run-tool.ts'

interface Rule {
  alert: string
  annotations: { runbook_url: string }
}

const component = join(root, 'k8s/components/monitoring')
let folder = ''
let rules: Rule[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-alerts-'))
  const { spec } = parse(await readFile(join(component, 'prometheus-rule.yaml'), 'utf8')) as {
    spec: { groups: { rules: Rule[] }[] }
  }
  rules = spec.groups.flatMap((group) => group.rules).filter(({ alert }) => alert)
  // What the operator hands to Prometheus.
  await writeFile(join(folder, 'alerts.yaml'), stringify(spec))
  await copyFile(join(component, 'alerts.test.yaml'), join(folder, 'alerts.test.yaml'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('The alert rules are rules', async () => {
  await runTool('promtool', ['check', 'rules', join(folder, 'alerts.yaml')])
})

test('Each alert fires when it should, and only then', async () => {
  await runTool('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd: folder })
})

interface Case {
  alertname: string
  exp_alerts: unknown[]
}

/** The alerts that no case has firing, and those that no case has silent. */
const untested = (cases: readonly Case[]): { firing: string[]; silent: string[] } => {
  const without = (of: readonly Case[]): string[] =>
    rules.map(({ alert }) => alert).filter((name) => !of.some(({ alertname }) => alertname === name))
  return {
    firing: without(cases.filter(({ exp_alerts: alerts }) => alerts.length > 0)),
    silent: without(cases.filter(({ exp_alerts: alerts }) => alerts.length === 0)),
  }
}

test('Each alert has a case in which it fires and one in which it is silent', async () => {
  const { tests } = parse(await readFile(join(folder, 'alerts.test.yaml'), 'utf8')) as {
    tests: { alert_rule_test: Case[] }[]
  }
  const cases = tests.flatMap(({ alert_rule_test: each }) => each)
  expect(untested(cases)).toEqual({ firing: [], silent: [] })
  const others = cases.filter(({ alertname }) => alertname !== 'DeadLetters')
  expect(untested(others)).toEqual({ firing: ['DeadLetters'], silent: ['DeadLetters'] })
  const neverFiring = [...others, { alertname: 'DeadLetters', exp_alerts: [] }]
  expect(untested(neverFiring)).toEqual({ firing: ['DeadLetters'], silent: [] })
})

test('Each alert leads to a section of the handbook that is there', async () => {
  const handbook = await readFile(join(root, 'docs/operations.md'), 'utf8')
  const sections = new Set([...handbook.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase()))
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook_url).toMatch(new RegExp(`docs/operations\\.md#${alert.toLowerCase()}$`))
    expect(sections).toContain(alert.toLowerCase())
  }
})

test('Every query of the dashboard is one', async () => {
  const dashboard = await readFile(join(component, 'confetti.json'), 'utf8')
  const queries = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = '""']) => JSON.parse(text) as string,
  )
  expect(queries.length).toBeGreaterThan(10)
  const asRules = queries.map((query, index) => ({
    record: `panel_${index}`,
    // Grafana fills these in.
    expr: query.replaceAll(/\$__(rate_)?interval|\$__range/g, '5m').replaceAll(/\$\{?\w+(:\w+)?\}?/g, '.*'),
  }))
  const file = join(folder, 'dashboard.yaml')
  await writeFile(file, stringify({ groups: [{ name: 'dashboard', rules: asRules }] }))
  await runTool('promtool', ['check', 'rules', file])
})
