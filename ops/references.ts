import type { Manifest } from './overlays.ts'

type Labels = Record<string, string>

/** A label selector of Kubernetes; a pod must satisfy all of it. */
export interface Selector {
  matchLabels?: Labels
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

export const ofKind = (manifests: readonly Manifest[], ...kinds: string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind))

export const findByName = (
  manifests: readonly Manifest[],
  kind: string,
  name: string,
): Manifest | undefined => ofKind(manifests, kind).find(({ metadata }) => metadata.name === name)

/** The objects that create pods. */
export const workloads = (manifests: readonly Manifest[]): Manifest[] =>
  ofKind(manifests, 'Deployment', 'StatefulSet')

/** The workloads whose pods have these labels. */
export const workloadsWithLabels = (manifests: readonly Manifest[], wanted: Labels): Manifest[] =>
  workloads(manifests).filter(({ spec }) => {
    const { labels } = (spec as { template: { metadata: { labels: Labels } } }).template.metadata
    return Object.entries(wanted).every(([key, value]) => labels[key] === value)
  })

/** The label sets that a selector accepts: one for each value of an `In` expression. */
export const expandSelector = ({ matchLabels = {}, matchExpressions = [] }: Selector): Labels[] =>
  matchExpressions.reduce<Labels[]>(
    (labelSets, { key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`Selectors with the operator ${operator} are not supported`)
      return labelSets.flatMap((labels) => values.map((value) => ({ ...labels, [key]: value })))
    },
    [matchLabels],
  )

/** A path of the site, and the Service that answers it. */
export interface Route {
  /** Kind and name of the object that defines the route. */
  source: string
  path: string
  service: string
  /** Its number or its name. */
  port: number | string
}

interface HttpRouteSpec {
  rules: { matches?: { path: { value: string } }[]; backendRefs?: { name: string; port: number }[] }[]
}

const routesOfHttpRoute = ({ metadata, spec }: Manifest): Route[] =>
  (spec as HttpRouteSpec).rules.flatMap(
    ({ matches = [{ path: { value: '/' } }], backendRefs: backends = [] }) =>
      matches.flatMap(({ path }) =>
        backends.map(({ name, port }) => ({
          source: `HTTPRoute ${metadata.name}`,
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

const routesOfIngress = ({ metadata, spec }: Manifest): Route[] =>
  (spec as IngressSpec).rules.flatMap(({ http }) =>
    http.paths.map(({ path, backend: { service } }) => ({
      source: `Ingress ${metadata.name}`,
      path,
      service: service.name,
      port: service.port.name ?? service.port.number ?? '',
    })),
  )

/** All routes to a Service, by the Gateway API and by Ingress. */
export const listRoutes = (manifests: readonly Manifest[]): Route[] => [
  ...ofKind(manifests, 'HTTPRoute').flatMap(routesOfHttpRoute),
  ...ofKind(manifests, 'Ingress').flatMap(routesOfIngress),
]

/** The Service that answers a path of the site: that of the longest matching route. */
export const serviceForPath = (manifests: readonly Manifest[], path: string): string | undefined =>
  listRoutes(manifests)
    .filter((route) => `${path}/`.startsWith(route.path.replace(/\/*$/, '/')))
    .toSorted((one, other) => other.path.length - one.path.length)[0]?.service
