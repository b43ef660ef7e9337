import { getCoverPicture, serviceRoutes } from '@confetti/contracts'
import {
  connectRedis,
  createJwksTokenVerifier,
  createService,
  createServiceApp,
  openDatabase,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { archiveRoutes } from './archives/routes.ts'
import { createCapabilities } from './capabilities.ts'
import type { Config } from './config.ts'
import { galleryRoutes } from './gallery/routes.ts'
import { libraryRoutes } from './library/routes.ts'
import { ownLinkRoutes } from './own-links/routes.ts'
import { createGuestLimits } from './sending/guest-limits.ts'
import { sendingRoutes } from './sending/routes.ts'
import { openBlobStorage } from './storage/open-blob-storage.ts'
import { ensureDatabaseId } from './storage/open-stores.ts'

/** Starts the service with its connections, and resolves when it listens. */
export const startUploads = async (config: Config, host: Host): Promise<RunningService> => {
  const service = await createService('uploads', config, host)
  const database = await openDatabase(service)
  const { events, sending, library, gallery, ownLinks, archives, download } = await createCapabilities(
    service,
    {
      database,
      blobs: await openBlobStorage(config, await ensureDatabaseId(database), service),
      guestLimits: createGuestLimits(config, connectRedis(config.REDIS_URL, service)),
    },
  )
  const app = createServiceApp(service, {
    routes: { ...serviceRoutes.uploads, getCoverPicture },
    handlers: {
      ...sendingRoutes(sending),
      ...libraryRoutes(library),
      ...galleryRoutes(gallery),
      ...ownLinkRoutes(ownLinks),
      ...archiveRoutes(archives, download),
    },
    events,
    findGuestByKey: ownLinks.findGuestByKey,
    verifyToken: createJwksTokenVerifier(config, service.clock),
    maxJsonBytes: config.MAX_JSON_BYTES,
  })
  return service.listen(app)
}
