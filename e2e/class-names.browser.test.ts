import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const frontends = fileURLToPath(new URL('../frontends/', import.meta.url))

// The classes of themes and icons, which stylesheets share.
const SHARED = /^(light|dark|lucide-.+)$/

const findClassNames = (css: string): string[] =>
  [...css.replaceAll(/url\(.*?\)|"[^"]*"/g, '').matchAll(/\.([a-zA-Z_][\w-]*)/g)].map(([, name = '']) => name)

// Rspack takes `body:has(.a)` in a media query for a declaration, and leaves the class names after it as they are.
test.each(['shell', 'public', 'organiser', 'admin'])(
  'When the frontend %s is built, then all class names in its stylesheets are its own',
  async (name) => {
    const folder = join(frontends, name, 'dist')
    const files = (await readdir(folder)).filter((file) => file.endsWith('.css'))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const foreign = findClassNames(await readFile(join(folder, file), 'utf8')).filter(
        (className) => !className.startsWith(`${name}-`) && !SHARED.test(className),
      )
      expect([file, foreign]).toEqual([file, []])
    }
  },
)
