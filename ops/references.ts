import type { Manifest } from './overlays.ts'

type Labels = Record<string, string>

/** As Kubernetes has it; all of it must hold. */
export interface Selector {
  matchLabels?: Labels
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

export const ofKind = (manifests: readonly Manifest[], ...kinds: string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind))

export const named = (manifests: readonly Manifest[], kind: string, name: string): Manifest | undefined =>
  ofKind(manifests, kind).find(({ metadata }) => metadata.name === name)

/** What makes pods. */
export const workloads = (manifests: readonly Manifest[]): Manifest[] =>
  ofKind(manifests, 'Deployment', 'StatefulSet')

/** The workloads whose pods have these labels. */
export const withPodLabels = (manifests: readonly Manifest[], wanted: Labels): Manifest[] =>
  workloads(manifests).filter(({ spec }) => {
    const { labels } = (spec as { template: { metadata: { labels: Labels } } }).template.metadata
    return Object.entries(wanted).every(([key, value]) => labels[key] === value)
  })

/** The sets of labels that a selector asks for: one for each value of a list. */
export const choicesOf = ({ matchLabels = {}, matchExpressions = [] }: Selector): Labels[] =>
  matchExpressions.reduce<Labels[]>(
    (choices, { key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`A selector with ${operator} is not understood here`)
      return choices.flatMap((labels) => values.map((value) => ({ ...labels, [key]: value })))
    },
    [matchLabels],
  )

/** A path at the site's own address, and the Service behind it. */
export interface Route {
  from: string
  path: string
  service: string
  /** Its number or its name. */
  port: number | string
}

interface HttpRouteSpec {
  rules: { matches?: { path: { value: string } }[]; backendRefs?: { name: string; port: number }[] }[]
}

const ofHttpRoute = ({ metadata, spec }: Manifest): Route[] =>
  (spec as HttpRouteSpec).rules.flatMap(
    ({ matches = [{ path: { value: '/' } }], backendRefs: backends = [] }) =>
      matches.flatMap(({ path }) =>
        backends.map(({ name, port }) => ({
          from: `HTTPRoute ${metadata.name}`,
          path: path.value,
          service: name,
          port,
        })),
      ),
  )

interface IngressPath {
  path: string
  backend: { service: { name: string; port: { name?: string; number?: number } } }
}
interface IngressSpec {
  rules: { http: { paths: IngressPath[] } }[]
}

const ofIngress = ({ metadata, spec }: Manifest): Route[] =>
  (spec as IngressSpec).rules.flatMap(({ http }) =>
    http.paths.map(({ path, backend: { service } }) => ({
      from: `Ingress ${metadata.name}`,
      path,
      service: service.name,
      port: service.port.name ?? service.port.number ?? '',
    })),
  )

/** All ways from outside to a Service, by the Gateway API and by Ingress. */
export const routes = (manifests: readonly Manifest[]): Route[] => [
  ...ofKind(manifests, 'HTTPRoute').flatMap(ofHttpRoute),
  ...ofKind(manifests, 'Ingress').flatMap(ofIngress),
]
