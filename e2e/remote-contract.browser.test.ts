import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { serveRemote } from '@confetti/launcher'
import { remoteNames, type RemoteName } from '@confetti/federation/remote'
import { problemsOfRemote } from './remote-check.ts'
import { startRemoteGate } from './remote-gate.ts'
import { startSite, type Site } from './site.ts'

// `npm run compat` says which remote, where it is, and in which shell it is to run; all of ours in ours otherwise.
const { COMPAT_REMOTE, COMPAT_REMOTE_AT, COMPAT_SHELL_FILES } = process.env
const names = COMPAT_REMOTE ? [COMPAT_REMOTE as RemoteName] : remoteNames

let site: Site
const closers: (() => Promise<void>)[] = []
beforeAll(async () => {
  site = await startSite({ frontends: { shellFiles: COMPAT_SHELL_FILES } })
}, 120_000)
afterAll(async () => {
  await site.stop()
  for (const close of closers) await close()
})

/** The manifest at an address that this shell's page may load from. */
const manifestOf = async (name: RemoteName): Promise<string> => {
  if (!COMPAT_REMOTE_AT) return `${site.frontends.remotes[name]}/mf-manifest.json`
  if (!COMPAT_REMOTE_AT.startsWith('http')) {
    const { url, close } = await serveRemote(COMPAT_REMOTE_AT)
    closers.push(close)
    return `${url}/mf-manifest.json`
  }
  const gate = await startRemoteGate()
  closers.push(gate.close)
  gate.target = new URL('.', COMPAT_REMOTE_AT).href.replace(/\/$/, '')
  return gate.manifest
}

test.each(names)(
  'When the %s remote runs in the shell, then it keeps to what the shell publishes',
  async (name) => {
    expect(await problemsOfRemote(site, { name, manifest: await manifestOf(name) })).toEqual([])
  },
  180_000,
)
