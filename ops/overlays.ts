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

/** The names of all overlays. */
export const overlays = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => existsSync(join(folder, name, 'kustomization.yaml')))

/** An overlay as text, as `kubectl kustomize` gives it. */
export const render = (overlay: string): Promise<string> =>
  runTool('kustomize', ['build', join(folder, overlay)])

export const manifestsOf = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest)
