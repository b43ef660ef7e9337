import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { root, runTool } from './run-tool.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The paths that a glob pattern matches; a leading or trailing slash does not matter. */
const matches = (pattern: string): string[] =>
  globSync(pattern.replace(/^\/|\/$/g, '') || '.', { cwd: root, exclude: ['node_modules'] })

interface Rule {
  pattern: string
  owners: string[]
}

const parseCodeOwners = (text: string): Rule[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [pattern = '', ...owners] = line.split(/ +/)
      return { pattern, owners }
    })

const codeOwnerProblems = (rules: readonly Rule[]): string[] => {
  const packages = globSync('{gateway,services/*,frontends/*}/package.json', { cwd: root })
  const parts = packages.map((file) => dirname(file))
  return [
    ...rules
      .filter(({ pattern }) => matches(pattern).length === 0)
      .map(({ pattern }) => `${pattern} is missing`),
    ...rules
      .filter(
        ({ owners }) => owners.length === 0 || !owners.every((owner) => /^@confetti\/[a-z]+$/.test(owner)),
      )
      .map(({ pattern }) => `${pattern} has no team`),
    ...parts
      .filter((part) => !rules.some(({ pattern }) => pattern === `/${part}/`))
      .map((part) => `${part} has no owner`),
  ]
}

test('Each service and frontend has an owner, owners are teams, and their paths exist', () => {
  const text = read('.github/CODEOWNERS')
  expect(codeOwnerProblems(parseCodeOwners(text))).toEqual([])
  const faulty = text.replace(/^\/services\/auth\/ .*$/m, '/services/atuh/ someone')
  expect(codeOwnerProblems(parseCodeOwners(faulty))).toEqual([
    '/services/atuh/ is missing',
    '/services/atuh/ has no team',
    'services/auth has no owner',
  ])
})

const manifestNames: Record<string, string> = {
  npm: 'package-lock.json',
  'github-actions': '{.github/workflows/*.yml,action.yml}',
  docker: '*Dockerfile',
  gomod: 'go.mod',
}

interface Update {
  'package-ecosystem': string
  directory?: string
  directories?: string[]
}

const dependabotProblems = (text: string): string[] =>
  (parse(text) as { updates: Update[] }).updates.flatMap((update) => {
    const { 'package-ecosystem': ecosystem, directory = '', directories = [directory] } = update
    return directories
      .filter((folder) => matches(`${folder}/${manifestNames[ecosystem]}`.replace('//', '/')).length === 0)
      .map((folder) => `${ecosystem} has no manifest in ${folder}`)
  })

test('The configuration of Dependabot satisfies its schema, and its directories have manifests', async () => {
  const file = '.github/dependabot.yml'
  await runTool('check-jsonschema', ['--builtin-schema', 'vendor.dependabot', file])
  expect(dependabotProblems(read(file))).toEqual([])
  expect(dependabotProblems(read(file).replace('/images', '/docker'))).toEqual([
    'docker has no manifest in /docker',
  ])
})

test('The issue forms satisfy their schemas', async () => {
  const config = '.github/ISSUE_TEMPLATE/config.yml'
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).filter((file) => file !== config)
  expect(forms).not.toHaveLength(0)
  await runTool('check-jsonschema', ['--builtin-schema', 'vendor.github-issue-forms', ...forms])
  await runTool('check-jsonschema', ['--builtin-schema', 'vendor.github-issue-config', config])
})

test('A field of an issue form without a label, which GitHub rejects, is reported', async () => {
  const form = { name: 'a', description: 'b', body: [{ type: 'input', attributes: {} }] }
  const validation = runTool('check-jsonschema', ['--builtin-schema', 'vendor.github-issue-forms', '-'], {
    input: JSON.stringify(form),
  })
  await expect(validation).rejects.toThrow('$.body[0]')
})
