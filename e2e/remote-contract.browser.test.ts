import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { serveRemote } from '@confetti/launcher'
import { remoteNames, type RemoteName } from '@confetti/federation/remote'
import { findRemoteProblems } from './remote-check.ts'
import { startRemoteProxy } from './remote-proxy.ts'
import { joinSite, startSite, type Site } from './site.ts'

// `npm run compat` sets these to the remote, its location and the build of the shell. Without them, all remotes of this
// checkout are checked in its shell.
const { COMPAT_REMOTE, COMPAT_REMOTE_AT, COMPAT_SHELL_FILES } = process.env
const names = COMPAT_REMOTE ? [COMPAT_REMOTE as RemoteName] : remoteNames

let site: Site
const cleanups: (() => Promise<void>)[] = []
beforeAll(async () => {
  site = COMPAT_SHELL_FILES
    ? await startSite({ frontends: { shellFiles: COMPAT_SHELL_FILES } })
    : await joinSite()
})
afterAll(async () => {
  await site.stop()
  for (const close of cleanups) await close()
})

/** Returns the URL of a remote's manifest at an origin from which the shell's Content-Security-Policy permits loading. */
const findManifestUrl = async (name: RemoteName): Promise<string> => {
  if (!COMPAT_REMOTE_AT) return `${site.frontends.remotes[name]}/mf-manifest.json`
  if (!COMPAT_REMOTE_AT.startsWith('http')) {
    const { url, close } = await serveRemote(COMPAT_REMOTE_AT)
    cleanups.push(close)
    return `${url}/mf-manifest.json`
  }
  const proxy = await startRemoteProxy()
  cleanups.push(proxy.close)
  proxy.targetUrl = new URL('.', COMPAT_REMOTE_AT).href.replace(/\/$/, '')
  return proxy.manifestUrl
}

test.each(names)(
  'When the %s remote runs in the shell, then it complies with the contract of the shell',
  async (name) => {
    expect(await findRemoteProblems(site, { name, manifestUrl: await findManifestUrl(name) })).toEqual([])
  },
  600_000,
)
