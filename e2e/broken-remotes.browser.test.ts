import { appendFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { serveRemote } from '@confetti/launcher'
import { copyFrontend, type ReleasedFrontend } from './released-frontend.ts'
import { findRemoteProblems } from './remote-check.ts'
import { joinSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

/** Replaces the routes that a remote exposes by one, whose page is an expression in JavaScript. */
const exposeRoute = (remote: ReleasedFrontend, page: string): Promise<void> =>
  remote.release(
    '{routes:()=>',
    `{routes:()=>[{ path: "/contact-admin", title: "Contact Admin", page: ${page} }],others:()=>`,
  )

// What a manifest or a route alone shows is tested with the functions of the contract.
test.each<[string, (remote: ReleasedFrontend) => Promise<void>, string[]]>([
  [
    'exposes no routes',
    (remote) => remote.release('{routes:()=>', '{screens:()=>'),
    ['It cannot be loaded, or does not expose a list of routes.'],
  ],
  [
    'exposes an element instead of a page function',
    (remote) => exposeRoute(remote, '"An element"'),
    ['/contact-admin has no page() function.'],
  ],
  [
    'throws',
    (remote) => exposeRoute(remote, 'async () => () => { throw Error("Broken.") }'),
    ['/contact-admin shows: Something went wrong on this page'],
  ],
  [
    'lacks a page that the shell links to, and has global style sheets',
    async (remote) => {
      await remote.release('path:"/contact-admin"', 'path:"/contact-admin/now"')
      for (const file of await readdir(remote.folder))
        if (file.endsWith('.css')) await appendFile(join(remote.folder, file), 'nav a { cursor: wait; }')
    },
    [
      "Its style sheets change the shell's own screens: a now has cursor: wait.",
      "The shell's link to /contact-admin is broken.",
    ],
  ],
])('When a remote %s, then the check reports it', async (_, change, expectedProblems) => {
  const remote = await copyFrontend('organiser')
  await change(remote)
  const { url, close } = await serveRemote(remote.folder)
  try {
    const problems = await findRemoteProblems(site, {
      name: 'organiser',
      manifestUrl: `${url}/mf-manifest.json`,
    })
    expect([...problems].sort()).toEqual(expectedProblems)
  } finally {
    await close()
    await remote.remove()
  }
})
