import { shellConfig } from '@confetti/federation/build'

export default shellConfig({ folder: import.meta.dirname, port: 3100 })
