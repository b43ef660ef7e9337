import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NODE_FLAGS, serviceNames } from '@confetti/launcher'
import { expect, test } from '@jest/globals'
import { parseCompose } from './compose.ts'
import { injectFault, listOverlays, renderManifests } from './overlays.ts'
import { root } from './run-tool.ts'
import { deployments } from './services.ts'

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

const folderOf = (image: string): string => {
  if (image === 'gateway') return 'gateway'
  return image.endsWith('-frontend') ? `frontends/${image.replace('-frontend', '')}` : `services/${image}`
}
const packageVersion = async (image: string): Promise<string> =>
  (JSON.parse(await read(`${folderOf(image)}/package.json`)) as { version: string }).version

const parseImage = (image: string): { name: string; tag: string } | undefined => {
  const [, name, tag] = /(?:^|\/)([a-z-]+):(\S+)$/.exec(image) ?? []
  return name && tag ? { name, tag } : undefined
}

/** Images of a compose file whose label has another version than their tag. */
const mislabelledImages = (compose: string): string[] => {
  const { services } = parseCompose(compose) as {
    services: Record<string, { image: string; build?: { args: { VERSION: string } } }>
  }
  return Object.values(services)
    .filter(({ image, build }) => build && !image.endsWith(`:${build.args.VERSION}`))
    .map(({ image, build }) => `${image} is labelled ${build?.args.VERSION}`)
}

test('In docker-compose.yml, the label of every image has the version of its tag', async () => {
  const compose = await read('docker-compose.yml')
  expect(mislabelledImages(compose)).toEqual([])
  const version = await packageVersion('gateway')
  const faulty = injectFault(
    compose,
    `VERSION: ${version}, FOLDER: gateway`,
    'VERSION: none, FOLDER: gateway',
  )
  expect(mislabelledImages(faulty)).toEqual([`confetti/gateway:${version} is labelled none`])
})

test('In docker-compose.yml, every image has the version of its package', async () => {
  const images = [...(await read('docker-compose.yml')).matchAll(/image: confetti\/(\S+)/g)].flatMap(
    ([, image = '']) => parseImage(image) ?? [],
  )
  const folders = await readdir(join(root, 'frontends'), { withFileTypes: true })
  const frontends = folders.filter((entry) => entry.isDirectory()).map(({ name }) => `${name}-frontend`)
  expect(images.map(({ name }) => name).toSorted()).toEqual([...serviceNames, ...frontends].toSorted())
  for (const { name, tag } of images) expect(`${name}:${tag}`).toBe(`${name}:${await packageVersion(name)}`)
})

test('In every overlay, an image has the version of its package, or in production a Deployment named after its version', async () => {
  for (const overlay of await listOverlays()) {
    const manifests = (await renderManifests(overlay)).filter(({ kind }) => kind === 'Deployment')
    for (const { metadata, spec } of manifests) {
      const image = parseImage(spec.template.spec.containers[0].image as string)
      expect(image).toBeDefined()
      if (!image) continue
      const name = deployments.get(metadata.name) ?? metadata.name
      // Only production keeps older versions: the images of the others are built from this checkout.
      const isOlderVersion = overlay === 'production' && name !== image.name
      const version = isOlderVersion ? image.tag : await packageVersion(image.name)
      expect(image.tag).toBe(version)
      expect([image.name, `${image.name}-${image.tag.replaceAll('.', '-')}`]).toContain(name)
    }
  }
})

test('The image starts services with the Node flags that tests and benchmarks use', async () => {
  const dockerfile = await read('images/service.Dockerfile')
  expect(dockerfile).toContain(`ENTRYPOINT ${JSON.stringify(['node', ...NODE_FLAGS]).replaceAll(',', ', ')}`)
})
