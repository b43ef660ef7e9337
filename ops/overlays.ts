import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { root, runTool } from './run-tool.ts'

/** A Kubernetes object. Only the fields that every object has are typed. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as deep as Kubernetes' own schemas
  [field: string]: any
}

const overlaysFolder = join(root, 'k8s/overlays')

const listKustomizations = async (parent: string): Promise<string[]> =>
  (await readdir(join(overlaysFolder, parent)))
    .map((name) => join(parent, name))
    .filter((path) => existsSync(join(overlaysFolder, path, 'kustomization.yaml')))

/** The names of all overlays. */
export const listOverlays = (): Promise<string[]> => listKustomizations('.')

/** The remote versions of an overlay, which teams apply separately, such as `production/remotes/admin-0-1-0`. */
export const listRemoteVersions = async (overlay: string): Promise<string[]> =>
  existsSync(join(overlaysFolder, overlay, 'remotes')) ? listKustomizations(join(overlay, 'remotes')) : []

/** Returns a function that calls `compute` once for each name, and then returns the same result. */
const onceForEach = <T>(compute: (name: string) => Promise<T>): ((name: string) => Promise<T>) => {
  const results = new Map<string, Promise<T>>()
  return (name) => {
    const result = results.get(name) ?? compute(name)
    results.set(name, result)
    return result
  }
}

/** Renders an overlay, or a remote version of one, to YAML, as `kubectl kustomize` does. */
export const render = onceForEach((overlay) => runTool('kustomize', ['build', join(overlaysFolder, overlay)]))

export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest)

/** Renders an overlay, or a remote version of one, and returns its objects, which all callers share. */
export const renderManifests = onceForEach<readonly Manifest[]>(async (overlay) =>
  parseManifests(await render(overlay)),
)

/** Replaces `original` by `fault`, to show that a check reports it. Throws if the text has no `original`. */
export const injectFault = (text: string, original: string, fault: string): string => {
  if (!text.includes(original)) throw new Error(`'${original}' is not in the text`)
  return text.replace(original, fault)
}
