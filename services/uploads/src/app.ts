import { createServiceApp, type ServiceAppOptions } from '@confetti/service-kit'
import { createUploadsRoute, type CreateUploadsDeps } from './routes/create-uploads.ts'
import { deleteUploadRoute, type DeleteUploadDeps } from './routes/delete-upload.ts'
import { listEventUploadsRoute, type ListEventUploadsDeps } from './routes/list-event-uploads.ts'
import { listMyEventUploadsRoute, type ListMyEventUploadsDeps } from './routes/list-my-event-uploads.ts'

type Deps = Omit<ServiceAppOptions, 'routes' | 'maxJsonBytes'> &
  CreateUploadsDeps &
  DeleteUploadDeps &
  ListEventUploadsDeps &
  ListMyEventUploadsDeps

/** The HTTP API of the uploads service. */
export const createApp = (deps: Deps) =>
  createServiceApp({
    ...deps,
    // No route accepts a JSON body.
    maxJsonBytes: 0,
    routes: [
      createUploadsRoute(deps),
      listEventUploadsRoute(deps),
      listMyEventUploadsRoute(deps),
      deleteUploadRoute(deps),
    ],
  })
