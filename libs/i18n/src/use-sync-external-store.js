// React 18 and newer have what the package of this name adds to older versions.
export { useSyncExternalStore } from 'react'
