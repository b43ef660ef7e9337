import { createServiceApp } from '@confetti/service-kit'
import { createUploadsRoute } from './routes/create-uploads.ts'
import { deleteUploadRoute } from './routes/delete-upload.ts'
import { listEventUploadsRoute } from './routes/list-event-uploads.ts'
import { listMyEventUploadsRoute } from './routes/list-my-event-uploads.ts'

type Deps = Omit<Parameters<typeof createServiceApp>[0], 'routes' | 'maxJsonBytes'> &
  Parameters<typeof createUploadsRoute>[0] &
  Parameters<typeof deleteUploadRoute>[0] &
  Parameters<typeof listEventUploadsRoute>[0] &
  Parameters<typeof listMyEventUploadsRoute>[0]

export const createApp = (deps: Deps) =>
  createServiceApp({
    ...deps,
    maxJsonBytes: 0,
    routes: [
      createUploadsRoute(deps),
      listEventUploadsRoute(deps),
      listMyEventUploadsRoute(deps),
      deleteUploadRoute(deps),
    ],
  })
