import { remoteConfig } from '@confetti/federation/build'

export default remoteConfig({ folder: import.meta.dirname, name: 'organiser', port: 3103 })
