import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NODE_FLAGS } from '@confetti/launcher'
import { expect, test } from '@jest/globals'
import { manifestsIn, overlays } from './overlays.ts'
import { root } from './run-tool.ts'

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

const folderOf = (image: string): string => {
  if (image === 'gateway') return 'gateway'
  return image.endsWith('-frontend') ? `frontends/${image.replace('-frontend', '')}` : `services/${image}`
}
const versionOf = async (image: string): Promise<string> =>
  (JSON.parse(await read(`${folderOf(image)}/package.json`)) as { version: string }).version

const nameAndTag = (image: string): { name: string; tag: string } | undefined => {
  const [, name, tag] = /(?:^|\/)([a-z-]+):(\S+)$/.exec(image) ?? []
  return name && tag ? { name, tag } : undefined
}

test('docker-compose.yml names every image with the version of its package', async () => {
  const images = [...(await read('docker-compose.yml')).matchAll(/image: confetti\/(\S+)/g)].flatMap(
    ([, image = '']) => nameAndTag(image) ?? [],
  )
  expect(images).toHaveLength(10)
  for (const { name, tag } of images) expect(`${name}:${tag}`).toBe(`${name}:${await versionOf(name)}`)
})

test('Every overlay does so too, or, where versions stand side by side, names the Deployment after its own', async () => {
  for (const overlay of await overlays()) {
    const deployments = (await manifestsIn(overlay)).filter(({ kind }) => kind === 'Deployment')
    for (const { metadata, spec } of deployments) {
      const image = nameAndTag(spec.template.spec.containers[0].image as string)
      expect(image).toBeDefined()
      if (!image) continue
      const version = metadata.name === image.name ? await versionOf(image.name) : image.tag
      expect(image.tag).toBe(version)
      expect([image.name, `${image.name}-${image.tag.replaceAll('.', '-')}`]).toContain(metadata.name)
    }
  }
})

test('The image starts services with the flags with which they are tested and measured', async () => {
  const dockerfile = await read('images/service.Dockerfile')
  expect(dockerfile).toContain(`ENTRYPOINT ${JSON.stringify(['node', ...NODE_FLAGS]).replaceAll(',', ', ')}`)
})
