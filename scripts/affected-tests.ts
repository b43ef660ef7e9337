import { partsBuiltFrom } from './affected-parts.ts'
import type { LockedPackages } from './lockfile.ts'

/** Which tests to run besides those whose imports lead to a changed file. */
export interface AffectedTests {
  /** Regular expressions for the beginnings of the paths of test files in the repository. */
  paths: string[]
  /** Whether a file has changed that the tests in ops/ read. */
  ops: boolean
}

const THROUGH_ALL_SERVICES = ['e2e/journeys', 'simulation/']

/** Images, Compose, manifests, pipelines, documents, and the variables of services. */
const readByOps = /^(ops|k8s|compose|images|docs|\.github)\/|^docker-compose\.yml$|\/config\.ts$/

/** The tests of the services and frontends that are built from one of `changedFiles`, and those that go through all. */
export const affectedTests = (packages: LockedPackages, changedFiles: readonly string[]): AffectedTests => {
  const folders = partsBuiltFrom(packages, changedFiles).map(({ folder }) => folder)
  const services = folders.filter((folder) => !folder.startsWith('frontends/'))
  const frontends = folders.filter((folder) => folder.startsWith('frontends/'))
  return {
    paths: [
      ...folders.map((folder) => `${folder}/`),
      ...(services.length > 0 ? THROUGH_ALL_SERVICES : []),
      ...(frontends.length > 0 ? ['e2e/.*browser'] : []),
    ],
    ops: changedFiles.some((file) => readByOps.test(file)),
  }
}
