import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { parse, stringify } from 'yaml'
import { renderManifests } from './overlays.ts'
import { findByName, ofKind, serviceForPath } from './references.ts'
import { root, runTool } from './run-tool.ts'
import { deployments } from './services.ts'

interface Rule {
  alert: string
  expr: string
  annotations: { description: string; runbook_url: string }
}

interface TestCase {
  alertname: string
  exp_alerts: unknown[]
}
interface TestFile {
  rule_files: string[]
  tests: { input_series: { series: string; values: string }[]; alert_rule_test: TestCase[] }[]
}

/** Adds a replica that is up for each service that a case of ServiceDown does not name. */
const withOtherServicesUp = (file: TestFile): TestFile => ({
  ...file,
  tests: file.tests.map((each) => {
    if (!each.alert_rule_test.some(({ alertname }) => alertname === 'ServiceDown')) return each
    const others = [...deployments.keys()].filter(
      (name) => !each.input_series.some(({ series }) => series.includes(`service="${name}"`)),
    )
    const up = others.map((name) => ({
      series: `up{job="confetti",service="${name}",pod="a"}`,
      values: '1x30',
    }))
    return { ...each, input_series: [...each.input_series, ...up] }
  }),
})

const component = join(root, 'k8s/components/monitoring')
let folder = ''
let rules: Rule[] = []
let file: TestFile

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-alerts-'))
  const { spec } = parse(await readFile(join(component, 'prometheus-rule.yaml'), 'utf8')) as {
    spec: { groups: { rules: Rule[] }[] }
  }
  const allRules = spec.groups.flatMap((group) => group.rules)
  rules = allRules.filter(({ alert }) => alert)
  // The rule file that the operator generates for Prometheus.
  await writeFile(join(folder, 'alerts.yaml'), stringify(spec))
  const text = await readFile(join(component, 'alerts.test.yaml'), 'utf8')
  // As strings: `0x10` is ten zeros for promtool.
  file = withOtherServicesUp(parse(text, { schema: 'failsafe' }) as TestFile)
  expect(file.rule_files).toEqual(['alerts.yaml'])
  // promtool evaluates all rules of a file at each minute of a test: each test gets only those that it is about.
  for (const [n, each] of file.tests.entries()) {
    const names = each.alert_rule_test.map(({ alertname }) => alertname)
    const ownRules = allRules.filter(({ alert }) => !alert || names.includes(alert))
    await writeFile(join(folder, `${n}.yaml`), stringify({ groups: [{ name: 'confetti', rules: ownRules }] }))
    const ownFile = { ...file, rule_files: [`${n}.yaml`], tests: [each] }
    await writeFile(join(folder, `${n}.test.yaml`), stringify(ownFile))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('The alert rules are valid', async () => {
  await runTool('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', join(folder, 'alerts.yaml')])
})

test('Each alert fires when it should, and only then', async () => {
  await runTool('promtool', ['test', 'rules', ...file.tests.map((_, n) => `${n}.test.yaml`)], {
    cwd: folder,
  })
})

/** The alerts that fire in no test case, and those that are silent in none. */
const alertsWithoutCase = (cases: readonly TestCase[]): { firing: string[]; silent: string[] } => {
  const missingFrom = (some: readonly TestCase[]): string[] =>
    rules.map(({ alert }) => alert).filter((name) => !some.some(({ alertname }) => alertname === name))
  return {
    firing: missingFrom(cases.filter(({ exp_alerts: alerts }) => alerts.length > 0)),
    silent: missingFrom(cases.filter(({ exp_alerts: alerts }) => alerts.length === 0)),
  }
}

test('Each alert has a case in which it fires and one in which it is silent', () => {
  const cases = file.tests.flatMap(({ alert_rule_test: each }) => each)
  expect(alertsWithoutCase(cases)).toEqual({ firing: [], silent: [] })
  const others = cases.filter(({ alertname }) => alertname !== 'DeadLetters')
  expect(alertsWithoutCase(others)).toEqual({ firing: ['DeadLetters'], silent: ['DeadLetters'] })
  const neverFiring = [...others, { alertname: 'DeadLetters', exp_alerts: [] }]
  expect(alertsWithoutCase(neverFiring)).toEqual({ firing: ['DeadLetters'], silent: [] })
})

test('Each alert links to an existing section of the runbook', async () => {
  const runbook = await readFile(join(root, 'docs/operations.md'), 'utf8')
  const sections = new Set([...runbook.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase()))
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook_url).toMatch(new RegExp(`docs/operations\\.md#${alert.toLowerCase()}$`))
    expect(sections).toContain(alert.toLowerCase())
  }
})

/** The runbook's section of an alert. */
const runbookSection = (runbook: string, alert: string): string =>
  new RegExp(`^### ${alert}\n(.*?)(?=^#|(?![^]))`, 'ms').exec(runbook)?.[1] ?? ''

test('Alert and runbook name the durations that are configured', async () => {
  const runbook = await readFile(join(root, 'docs/operations.md'), 'utf8')
  const manifests = await renderManifests('production')
  const secondsOf = (service: string, variable: string): number => {
    const config = ofKind(manifests, 'ConfigMap').find(({ metadata }) =>
      metadata.name.startsWith(`${service}-`),
    )
    return Number((config?.data as Record<string, string>)[variable]) / 1_000
  }
  const uploads = findByName(manifests, 'Deployment', 'uploads')?.spec.template.spec.containers[0]
  const durations = {
    UploadsNearLimit: `after ${secondsOf('uploads', 'ADMISSION_TIMEOUT_MS')} s they get 503`,
    UploadsCallsWaiting: `after ${secondsOf('uploads', 'ADMISSION_TIMEOUT_MS')} s they get 503`,
    ProcessingSlow: `${secondsOf('media', 'DECODE_TIMEOUT_MS')} s of processor time`,
    EventLoopLagging: `Above ${uploads.livenessProbe.timeoutSeconds} s its liveness probe fails`,
  }
  for (const [alert, duration] of Object.entries(durations)) {
    expect(rules.find((rule) => rule.alert === alert)?.annotations.description).toContain(duration)
    expect(runbookSection(runbook, alert)).toContain(duration)
  }
})

test('In production, the shell and the API are probed at the public address, as the job that the alerts select', async () => {
  const manifests = await renderManifests('production')
  const [probe, ...others] = ofKind(manifests, 'Probe')
  expect(others).toEqual([])
  const urls = (probe?.spec.targets.staticConfig.static as string[]).map((url) => new URL(url))
  expect(urls.map(({ pathname }) => serviceForPath(manifests, pathname)).toSorted()).toEqual([
    'gateway',
    'shell-frontend',
  ])
  const listeners = findByName(manifests, 'Gateway', 'confetti')?.spec.listeners as {
    protocol: string
    hostname: string
  }[]
  const hosts = listeners.filter(({ protocol }) => protocol === 'HTTPS').map(({ hostname }) => hostname)
  for (const { protocol, host } of urls) {
    expect(protocol).toBe('https:')
    expect(hosts).toContain(host)
  }
  for (const name of ['SiteUnreachable', 'SiteNotProbed', 'CertificateExpiring'])
    expect(rules.find(({ alert }) => alert === name)?.expr).toContain(`{job="${probe?.spec.jobName}"}`)
})

test('The dashboard has a panel for each alert', async () => {
  const dashboard = await readFile(join(component, 'confetti.json'), 'utf8')
  const descriptions = [...dashboard.matchAll(/"description": "[^"]*Alerts?: ([^"]*)/g)].map(
    ([, text]) => text,
  )
  for (const { alert } of rules) expect(descriptions.join()).toContain(alert)
})

test('Every query of the dashboard is valid', async () => {
  const dashboard = await readFile(join(component, 'confetti.json'), 'utf8')
  const queries = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = '""']) => JSON.parse(text) as string,
  )
  expect(queries.length).toBeGreaterThan(10)
  const asRules = queries.map((query, index) => ({
    record: `panel_${index}`,
    // Grafana replaces these variables.
    expr: query.replaceAll(/\$__(rate_)?interval|\$__range/g, '5m').replaceAll(/\$\{?\w+(:\w+)?\}?/g, '.*'),
  }))
  const file = join(folder, 'dashboard.yaml')
  await writeFile(file, stringify({ groups: [{ name: 'dashboard', rules: asRules }] }))
  await runTool('promtool', ['check', 'rules', file])
})
