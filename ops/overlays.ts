import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { root, runTool } from './run-tool.ts'

/** What every Kubernetes object has; the rest is looked into freely. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as deep as Kubernetes' own schemas
  [field: string]: any
}

const folder = join(root, 'k8s/overlays')

const kustomizationsIn = async (place: string): Promise<string[]> =>
  (await readdir(join(folder, place)))
    .map((name) => join(place, name))
    .filter((path) => existsSync(join(folder, path, 'kustomization.yaml')))

/** The names of all overlays. */
export const overlays = (): Promise<string[]> => kustomizationsIn('.')

/** What of an overlay teams apply alone, such as `production/remotes/admin-0-1-0`. */
export const partsOf = async (overlay: string): Promise<string[]> =>
  existsSync(join(folder, overlay, 'remotes')) ? kustomizationsIn(join(overlay, 'remotes')) : []

/** An overlay, or a part of one, as text, as `kubectl kustomize` gives it. */
export const render = (overlay: string): Promise<string> =>
  runTool('kustomize', ['build', join(folder, overlay)])

export const manifestsOf = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest)

/** The objects of an overlay, or of a part of one. */
export const manifestsIn = async (overlay: string): Promise<Manifest[]> => manifestsOf(await render(overlay))

/** The text with a fault in it, to show that a check finds it. */
export const withFault = (text: string, sound: string, fault: string): string => {
  if (!text.includes(sound)) throw new Error(`There is no '${sound}' to change`)
  return text.replace(sound, fault)
}
