import { createServiceApp, type ServiceAppOptions } from '@confetti/service-kit'
import { completeUploadsRoute, type CompleteUploadsDeps } from './routes/complete-uploads.ts'
import { createEventArchiveRoute, type CreateEventArchiveDeps } from './routes/create-event-archive.ts'
import { createMyEventArchiveRoute, type CreateMyEventArchiveDeps } from './routes/create-my-event-archive.ts'
import { createUploadTicketsRoute, type CreateUploadTicketsDeps } from './routes/create-upload-tickets.ts'
import { createUploadsRoute, type CreateUploadsDeps } from './routes/create-uploads.ts'
import { deleteUploadRoute, type DeleteUploadDeps } from './routes/delete-upload.ts'
import { downloadArchiveRoute, type DownloadArchiveDeps } from './routes/download-archive.ts'
import { getEventCoverRoute, type GetEventCoverDeps } from './routes/get-event-cover.ts'
import { listEventUploadsRoute, type ListEventUploadsDeps } from './routes/list-event-uploads.ts'
import { listMyEventUploadsRoute, type ListMyEventUploadsDeps } from './routes/list-my-event-uploads.ts'
import { resumeUploadsRoute, type ResumeUploadsDeps } from './routes/resume-uploads.ts'

type Deps = Omit<ServiceAppOptions, 'routes'> &
  CompleteUploadsDeps &
  CreateUploadTicketsDeps &
  ResumeUploadsDeps &
  CreateUploadsDeps &
  DeleteUploadDeps &
  CreateEventArchiveDeps &
  CreateMyEventArchiveDeps &
  DownloadArchiveDeps &
  GetEventCoverDeps &
  ListEventUploadsDeps &
  ListMyEventUploadsDeps

/** The HTTP API of the uploads service. */
export const createApp = (deps: Deps) =>
  createServiceApp({
    ...deps,
    routes: [
      createUploadsRoute(deps),
      createUploadTicketsRoute(deps),
      completeUploadsRoute(deps),
      resumeUploadsRoute(deps),
      getEventCoverRoute(deps),
      listEventUploadsRoute(deps),
      listMyEventUploadsRoute(deps),
      deleteUploadRoute(deps),
      createEventArchiveRoute(deps),
      createMyEventArchiveRoute(deps),
      downloadArchiveRoute(deps),
    ],
  })
