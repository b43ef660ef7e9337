import type { RemoteRoute } from '@confetti/federation/remote'

export const routes: readonly RemoteRoute[] = []
