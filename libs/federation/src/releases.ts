import type { Manifest } from './contract.ts'
import { federationName, remoteNames, type RemoteName } from './remote.ts'

interface Release {
  remote: RemoteName
  version: string
  /** The URL of the folder with the files of the remote. */
  baseUrl: string
}

let releases: readonly Release[] = []

/** Records the version of a remote, from its manifest. */
export const recordRelease = (manifestUrl: string, { name, metaData }: Manifest): void => {
  const remote = remoteNames.find((each) => federationName(each) === name)
  if (!remote) return
  const release = {
    remote,
    version: metaData.buildInfo.buildVersion,
    baseUrl: new URL('.', manifestUrl).href,
  }
  releases = [...releases.filter((each) => each.remote !== remote), release]
}

/** Returns the version of a remote, or undefined if its manifest was never loaded. */
export const getVersion = (remote: RemoteName): string | undefined =>
  releases.find((each) => each.remote === remote)?.version

/** Returns the remote whose file comes first in an error's stack, or undefined if it is none of a remote. */
export const findRemoteInStack = (stack: string): RemoteName | undefined => {
  const [url = ''] = /https?:\/\/\S+/.exec(stack) ?? []
  return releases.find(({ baseUrl }) => url.startsWith(baseUrl))?.remote
}
