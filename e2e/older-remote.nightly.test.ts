import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Manifest } from '@confetti/federation/contract'
import { startOlderRemote } from './older-remote.ts'
import { findRemoteProblems } from './remote-check.ts'
import { joinSite, type Site } from './site.ts'

let site: Site
let remote: Awaited<ReturnType<typeof startOlderRemote>>
beforeAll(async () => {
  remote = await startOlderRemote()
  site = await joinSite()
})
afterAll(async () => {
  await site.stop()
  await remote.stop()
})

test('When a remote was built with older minor versions of React and the router, then it works in the current shell', async () => {
  const manifestUrl = `${remote.url}/mf-manifest.json`
  const { shared } = (await (await fetch(manifestUrl)).json()) as Manifest
  const versions = shared.map(({ name, version, requiredVersion }) => [name, version, requiredVersion])
  expect(versions).toEqual(
    expect.arrayContaining([
      ['react', '19.1.0', '^19'],
      ['@confetti/federation/router', '7.6.0', '^7'],
    ]),
  )
  expect(await findRemoteProblems(site, { name: 'organiser', manifestUrl })).toEqual([])
}, 600_000)
