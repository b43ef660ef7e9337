import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { overlays, render } from './overlays.ts'
import { root } from './run-tool.ts'

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

const folderOf = (image: string): string => {
  if (image === 'gateway') return 'gateway'
  return image.endsWith('-frontend') ? `frontends/${image.replace('-frontend', '')}` : `services/${image}`
}
const versionOf = async (image: string): Promise<string> =>
  (JSON.parse(await read(`${folderOf(image)}/package.json`)) as { version: string }).version

const ourImages = (text: string): { name: string; tag: string }[] =>
  [...text.matchAll(/image: \S*confetti\/([a-z-]+):(\S+)/g)].map(([, name = '', tag = '']) => ({ name, tag }))

test('Every image is named with the version of its package', async () => {
  const texts = [await read('docker-compose.yml'), ...(await Promise.all((await overlays()).map(render)))]
  for (const text of texts) {
    const images = ourImages(text)
    expect(new Set(images.map(({ name }) => name)).size).toBe(10)
    for (const { name, tag } of images) expect(`${name}:${tag}`).toBe(`${name}:${await versionOf(name)}`)
  }
})
