import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { root, runTool } from './run-tool.ts'

test('The compose files satisfy the schema of the Compose specification', async () => {
  const files = ['docker-compose.yml', 'images/without-registry/compose.yml']
  await runTool('check-jsonschema', ['--builtin-schema', 'vendor.compose-spec', ...files])
})

test('What .env.example names is what docker-compose.yml asks for', async () => {
  const compose = await readFile(join(root, 'docker-compose.yml'), 'utf8')
  const example = await readFile(join(root, '.env.example'), 'utf8')
  const asked = [...compose.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name)
  const named = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  expect(new Set(named)).toEqual(new Set(asked))
})

test('The substitutes are told where the database is, each of those that use it', async () => {
  const services = async (file: string) =>
    (
      parse(await readFile(join(root, file), 'utf8'), { merge: true }) as {
        services: Record<string, { environment?: Record<string, string> }>
      }
    ).services
  const withDatabase = (all: Awaited<ReturnType<typeof services>>) =>
    Object.keys(all).filter((name) => all[name]?.environment?.MONGO_URL)
  expect(withDatabase(await services('images/without-registry/compose.yml'))).toEqual(
    withDatabase(await services('docker-compose.yml')),
  )
})
